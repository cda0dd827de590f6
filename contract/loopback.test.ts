import { expect, test } from 'vitest'
import { isThisMachine } from './loopback.ts'

test.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'cairn.local', '127.0.0.1', '127.9.9.9', '127.1', '2130706433'])(
  '%s means this machine',
  (host) => expect(isThisMachine(host)).toBe(true),
)

test.each(['0x7f.1', '0.0.0.0', '0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]'])(
  '%s means this machine, however it is written',
  (host) => expect(isThisMachine(host)).toBe(true),
)

test.each([
  'cairn.example',
  '192.168.0.2',
  '10.0.0.1',
  '128.0.0.1',
  '127.0.0.1.example.org',
  'localhost.example.org',
  'notlocalhost',
  '[::2]',
  '',
])('%j means another machine', (host) => expect(isThisMachine(host)).toBe(false))
