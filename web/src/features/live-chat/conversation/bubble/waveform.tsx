import Box from '@mui/material/Box'

const barHeight = 24
const flat = new Array<number>(48).fill(8)

const barsPath = (loudness: readonly number[]): string =>
  loudness
    .map((value, index) => {
      const height = Math.max(2, (Math.min(100, value) / 100) * barHeight)
      return `M${index + 0.5} ${(barHeight - height) / 2}v${height}`
    })
    .join('')

const fill = { position: 'absolute', inset: 0, width: '100%', height: '100%' } as const

interface Props {
  /** 0 to 100 each; null when unknown. */
  loudness: number[] | null
  played: number
}

/** Decorative: the slider above it shows the position. */
export const Waveform = ({ loudness, played }: Props) => {
  const shown = loudness && loudness.length > 0 ? loudness : flat
  const bars = (
    <path d={barsPath(shown)} stroke="currentColor" strokeWidth={0.55} strokeLinecap="butt" vectorEffect="none" />
  )
  const box = `0 0 ${shown.length} ${barHeight}`
  return (
    <Box aria-hidden sx={{ position: 'absolute', inset: 0, pointerEvents: 'none' }}>
      <Box component="svg" viewBox={box} preserveAspectRatio="none" sx={{ ...fill, opacity: 0.4 }}>
        {bars}
      </Box>
      <Box
        component="svg"
        viewBox={box}
        preserveAspectRatio="none"
        sx={fill}
        style={{ clipPath: `inset(0 ${(1 - played) * 100}% 0 0)` }}
      >
        {bars}
      </Box>
    </Box>
  )
}
