import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

// Leads names below neon.test to this machine, in this process. A deployment refuses the address of a database on a developer's machine, so the
// tests give theirs a name; .test is reserved for that. Commands get this file by NODE_OPTIONS.
dns.lookup = new Proxy(dns.lookup, {
  apply: (lookup, self, [hostname, ...rest]) =>
    Reflect.apply(lookup, self, [/\.neon\.test$/.test(hostname) ? '127.0.0.1' : hostname, ...rest]),
})
syncBuiltinESMExports()
