/** Two soft notes, the second a fourth higher, each fading at once: [hertz, seconds after the start]. */
const notes = [
  [587.33, 0],
  [783.99, 0.11],
] as const
const noteSeconds = 0.32
const loudness = 0.07
/** A burst of messages is one announcement. */
const pauseMs = 2500

let context: AudioContext | undefined
let lastMs = Number.NEGATIVE_INFINITY

/** Sounds once, where the browser allows it: before the first click or key it does not, and then this is silent. */
export const playAlertTone = async (): Promise<void> => {
  const nowMs = performance.now()
  if (nowMs - lastMs < pauseMs || typeof AudioContext === 'undefined') return
  lastMs = nowMs
  context ??= new AudioContext()
  if (context.state === 'suspended') await context.resume()
  for (const [hertz, after] of notes) {
    const start = context.currentTime + after
    const voice = context.createOscillator()
    const volume = context.createGain()
    voice.type = 'sine'
    voice.frequency.value = hertz
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(loudness, start + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + noteSeconds)
    voice.connect(volume).connect(context.destination)
    voice.start(start)
    voice.stop(start + noteSeconds)
  }
}
