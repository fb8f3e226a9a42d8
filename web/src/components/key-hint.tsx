import Box from '@mui/material/Box'
import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

interface Props {
  title: string
  /** In the order of pressing, e.g. ['G', 'L']. */
  keys?: readonly string[]
  placement?: 'below' | 'right'
  disableFocusListener?: boolean
  children: ReactElement
}

const delayMs = 500
const gap = 6
/** Within this many px of a window side, the hint aligns with its element's edge. */
const edge = 120
/** Room needed below, in px. */
const height = 40

const coordinatesBy = (element: Element, placement: 'below' | 'right'): CSSProperties => {
  const { top, bottom, left, right, width } = element.getBoundingClientRect()
  if (placement === 'right') return { left: right + gap, top: (top + bottom) / 2, transform: 'translateY(-50%)' }
  const vertical =
    bottom + gap + height <= window.innerHeight ? { top: bottom + gap } : { bottom: window.innerHeight - top + gap }
  if (left < edge) return { ...vertical, left: Math.max(4, left) }
  if (right > window.innerWidth - edge) return { ...vertical, right: Math.max(4, window.innerWidth - right) }
  return { ...vertical, left: left + width / 2, transform: 'translateX(-50%)' }
}

/** Hidden from screen readers, because it repeats the control's label. MUI's tooltip would add a layout engine. */
export const KeyHint = ({ title, keys = [], placement = 'below', disableFocusListener = false, children }: Props) => {
  const [coordinates, setCoordinates] = useState<CSSProperties | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const hide = () => {
    clearTimeout(timer.current)
    setCoordinates(null)
  }
  const showSoon = (element: Element | null) => {
    clearTimeout(timer.current)
    if (element) timer.current = setTimeout(() => setCoordinates(coordinatesBy(element, placement)), delayMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <>
      <Box
        component="span"
        sx={{ display: 'contents' }}
        onPointerEnter={({ currentTarget, pointerType }) => {
          if (pointerType === 'mouse') showSoon(currentTarget.firstElementChild)
        }}
        onPointerLeave={hide}
        onPointerDown={hide}
        onKeyDown={hide}
        onFocus={({ currentTarget, target }) => {
          if (!disableFocusListener && target.matches(':focus-visible')) showSoon(currentTarget.firstElementChild)
        }}
        onBlur={hide}
      >
        {children}
      </Box>
      {coordinates &&
        createPortal(
          <Box
            component="span"
            aria-hidden
            style={coordinates}
            sx={{
              position: 'fixed',
              zIndex: 'tooltip',
              display: 'inline-flex',
              alignItems: 'center',
              gap: 1.5,
              px: 2,
              py: 1.5,
              typography: 'caption',
              fontWeight: 500,
              pointerEvents: 'none',
              whiteSpace: 'nowrap',
              color: 'background.default',
              bgcolor: 'text.primary',
              borderRadius: 'var(--radius-control)',
            }}
          >
            {title}
            {keys.map((key) => (
              <Box
                key={key}
                component="kbd"
                sx={{
                  font: 'inherit',
                  border: '1px solid currentColor',
                  borderRadius: 'var(--radius-control)',
                  px: 1,
                  opacity: 0.85,
                }}
              >
                {key}
              </Box>
            ))}
          </Box>,
          document.body,
        )}
    </>
  )
}
