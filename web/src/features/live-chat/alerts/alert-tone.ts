/** Two soft notes, the second a fourth higher, each fading at once: [hertz, seconds after the start]. */
const notes = [
  [587.33, 0],
  [783.99, 0.11],
] as const
const noteSeconds = 0.32
const loudness = 0.07
/** A burst of messages is one announcement. */
const pauseMs = 2500
/** A tone that the browser held back for longer means nothing any more. */
const lateMs = 1000

let context: AudioContext | undefined
let lastMs = Number.NEGATIVE_INFINITY
/** Tones that play, or wait until they may. */
let sounding = 0

/**
 * Sounds once, where the browser allows it: before the first click or key it does not, and then this is silent. Nobody waits for
 * it: until the browser allows it, that may take for ever.
 */
export const playAlertTone = (): void => {
  const nowMs = performance.now()
  if (nowMs - lastMs < pauseMs || typeof AudioContext === 'undefined') return
  lastMs = nowMs
  context ??= new AudioContext()
  sound(context).catch((error) => console.warn('O navegador não toca avisos.', error))
}

/** A context that runs keeps the sound device and a part of the processor busy, all day long: between tones it rests. */
const sound = async (device: AudioContext): Promise<void> => {
  const askedMs = performance.now()
  sounding++
  try {
    if (device.state === 'suspended') await device.resume()
    if (performance.now() - askedMs < lateMs) await Promise.all(notes.map((note) => play(device, note)))
  } finally {
    sounding--
    if (sounding === 0) await device.suspend()
  }
}

/** Resolves when the note has faded. */
const play = (device: AudioContext, [hertz, after]: (typeof notes)[number]): Promise<void> => {
  const start = device.currentTime + after
  const voice = device.createOscillator()
  const volume = device.createGain()
  voice.type = 'sine'
  voice.frequency.value = hertz
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(loudness, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + noteSeconds)
  voice.connect(volume).connect(device.destination)
  voice.start(start)
  voice.stop(start + noteSeconds)
  return new Promise((resolve) => voice.addEventListener('ended', () => resolve(), { once: true }))
}
