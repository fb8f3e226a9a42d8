/** libsignal 6 prints whole sessions, private keys included, through the console. */

const PHRASES = [
  'Closing session:',
  'Opening session:',
  'Removing old closed session:',
  'Migrating session to:',
  'Session already closed',
  'Session already open',
  'Closing open session in favor of incoming prekey bundle',
  'Decrypted message with closed session.',
  'Failed to decrypt message with any known session...',
  'Session error:',
]

const silenced = new WeakSet<object>()

/** Drops libsignal's own lines from the console of this process, and nothing else. Calling it again is harmless. */
export function quietLibsignal() {
  for (const level of ['info', 'warn', 'error'] as const) {
    const print = console[level]
    if (silenced.has(print)) continue
    const filtered = (...parts: unknown[]) => {
      const [first] = parts
      if (typeof first === 'string' && PHRASES.some((phrase) => first.startsWith(phrase))) return
      print.apply(console, parts)
    }
    silenced.add(filtered)
    console[level] = filtered
  }
}
