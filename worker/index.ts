import { app } from './app.ts'
import type { Env } from './env.ts'
import { receiveMail } from './services/receive-mail.ts'
import { sweep } from './services/sweep.ts'
import { checkSettings } from './settings.ts'

export { Room } from '../party/partyserver.ts'

let checked = false

/** Describes what is wrong with the settings, without their values, or null. */
function settingsProblem(env: Env): string | null {
  try {
    if (!checked) checkSettings(env)
    checked = true
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export default {
  fetch(request, env, context) {
    const problem = settingsProblem(env)
    if (!problem) return app.fetch(request, env, context)
    console.error(JSON.stringify({ level: 'error', what: problem }))
    return new Response(`This site is not set up yet. ${problem}\n`, { status: 503, headers: { 'cache-control': 'no-store' } })
  },
  scheduled(_event, env, context) {
    if (!settingsProblem(env)) context.waitUntil(sweep(env))
  },
  /** Mails that Email Routing sends to this worker (docs/deploy.md). */
  async email(message, env, context) {
    const problem = settingsProblem(env)
    // The sending server tries again for some days.
    if (problem) throw new Error(problem)
    await receiveMail(message, env, context)
  },
} satisfies ExportedHandler<Env>
