export interface Playing {
  id: string | null
  isPlaying: boolean
  /** Seconds. */
  time: number
  /** Seconds; null before the file was read. */
  duration: number | null
  rate: number
  failed: boolean
}

export const rates = [1, 1.5, 2] as const

/** One sound at a time, also while its bubble is out of view. */
export const createAudioPlayer = () => {
  let element: HTMLAudioElement | null = null
  let playing: Playing = { id: null, isPlaying: false, time: 0, duration: null, rate: 1, failed: false }
  const listeners = new Set<() => void>()

  const change = (changed: Partial<Playing>) => {
    playing = { ...playing, ...changed }
    for (const listener of listeners) listener()
  }

  const sound = (): HTMLAudioElement => {
    if (element) return element
    const made = new Audio()
    made.preload = 'auto'
    made.addEventListener('timeupdate', () => change({ time: made.currentTime }))
    made.addEventListener('durationchange', () =>
      change({ duration: Number.isFinite(made.duration) ? made.duration : null }),
    )
    made.addEventListener('play', () => change({ isPlaying: true, failed: false }))
    made.addEventListener('pause', () => change({ isPlaying: false }))
    made.addEventListener('ended', () => {
      made.currentTime = 0
      change({ isPlaying: false, time: 0 })
    })
    made.addEventListener('error', () => {
      if (made.getAttribute('src')) change({ isPlaying: false, failed: true })
    })
    element = made
    return made
  }

  const load = (id: string, address: string): HTMLAudioElement => {
    const made = sound()
    if (playing.id === id && !playing.failed) return made
    made.pause()
    made.src = address
    // A new source resets the rate.
    made.defaultPlaybackRate = playing.rate
    made.playbackRate = playing.rate
    change({ id, isPlaying: false, time: 0, duration: null, failed: false })
    return made
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    now: () => playing,
    toggle: (id: string, address: string) => {
      const made = load(id, address)
      if (playing.isPlaying) made.pause()
      // Refused or superseded: the state is right either way.
      else
        made
          .play()
          .catch((error: DOMException) => change({ isPlaying: false, failed: error.name === 'NotSupportedError' }))
    },
    seek: (id: string, address: string, seconds: number) => {
      const made = load(id, address)
      made.currentTime = seconds
      change({ time: seconds })
    },
    nextRate: () => {
      const rate = rates[(rates.indexOf(playing.rate as (typeof rates)[number]) + 1) % rates.length] ?? 1
      if (element) element.playbackRate = rate
      change({ rate })
    },
    stop: () => {
      element?.pause()
      element?.removeAttribute('src')
      change({ id: null, isPlaying: false, time: 0, duration: null, failed: false })
    },
  }
}

export type AudioPlayer = ReturnType<typeof createAudioPlayer>
