/** libsignal 6 prints whole sessions, private keys included. */
const openings = [
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
  'V1 session storage migration error',
  'Unhandled bucket type',
]

const quiet = new WeakSet<object>()

export const quietLibsignal = (): void => {
  for (const level of ['info', 'warn', 'error', 'log'] as const) {
    const print = console[level]
    if (quiet.has(print)) continue
    const filtered = (...parts: unknown[]) => {
      const [first] = parts
      if (typeof first === 'string' && openings.some((opening) => first.startsWith(opening))) return
      print.apply(console, parts)
    }
    quiet.add(filtered)
    console[level] = filtered
  }
}
