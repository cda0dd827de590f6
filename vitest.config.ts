import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { language } from './dev/language/plugin.ts'

/** Tests that use up what all accounts of a site or a network share, or take their work, or count what a call does: nothing else runs beside them. */
const ALONE = [
  'tests/api/auth-attempts.test.ts',
  'tests/api/mail-senders.test.ts',
  'tests/api/trips.test.ts',
  'tests/api/turns.test.ts',
  'tests/e2e/asked-once.test.ts',
]

/** Of browser tests, whose pointer may miss what moves while both cores are busy. Vitest names those that it ran twice: their race is to be mended. */
const RETRIES = process.env.CI ? 1 : 0

/** Real Postgres, sign-in, worker and Chromium are slow on two cores: generous limits, no fixed sleeps inside. */
const patient = { testTimeout: 120_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } }

/** Tests that start a whole Cairn of their own. */
const whole = { ...patient, globalSetup: './tests/support/worker-setup.ts' }

/** Tests that share one. */
const real = { ...patient, globalSetup: './tests/support/global-setup.ts' }

export default defineConfig({
  plugins: [language()],
  test: {
    maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,worker,web,party,dev}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.infra.test.ts'],
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...whole,
          name: 'infra',
          include: ['dev/**/*.infra.test.ts', 'tests/infra/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { ...whole, name: 'faults', include: ['tests/faults/**/*.test.ts'], fileParallelism: false, sequence: { groupOrder: 2 } },
      },
      { extends: true, test: { ...real, name: 'api', include: ['tests/api/**/*.test.ts'], exclude: ALONE, sequence: { groupOrder: 3 } } },
      {
        extends: true,
        test: { ...real, name: 'alone', include: ALONE, testTimeout: 180_000, fileParallelism: false, sequence: { groupOrder: 4 } },
      },
      { extends: true, test: { ...real, name: 'party', include: ['tests/party/**/*.test.ts'], sequence: { groupOrder: 3 } } },
      {
        extends: true,
        test: {
          ...real,
          name: 'partykit',
          include: ['tests/party/{guests,notices,rooms,tickets}.test.ts'],
          globalSetup: './tests/support/partykit-setup.ts',
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...real,
          name: 'e2e',
          include: ['tests/e2e/*.test.ts'],
          exclude: ALONE,
          testTimeout: 180_000,
          // More at once only wait for each other: one browser test keeps more than one core busy.
          maxWorkers: 2,
          retry: RETRIES,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          ...real,
          name: 'screens',
          include: ['tests/e2e/screens/*.test.ts'],
          testTimeout: 180_000,
          retry: RETRIES,
          // They look at what rests, and do not mind what runs beside them.
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
