import Box from '@mui/material/Box'
import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { radius } from '../../../lib/radius.ts'

interface Props extends ComponentProps<'textarea'> {
  value: string
  ref?: Ref<HTMLTextAreaElement>
}

/** Narrower, the placeholder needs two lines. */
const roomyPx = 380

export const GrowingTextarea = ({ ref, value, ...rest }: Props) => {
  const [isRoomy, setRoomy] = useState(true)
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle<HTMLTextAreaElement | null, HTMLTextAreaElement | null>(ref, () => field.current)

  useLayoutEffect(() => {
    const element = field.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const watcher = new ResizeObserver(() => setRoomy(element.offsetWidth >= roomyPx))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`
  }, [value])

  return (
    <Box
      component="textarea"
      ref={field}
      rows={1}
      value={value}
      {...rest}
      sx={{
        display: 'block',
        flex: 1,
        minWidth: 0,
        minHeight: isRoomy ? 44 : 'calc(2lh + 22px)',
        // Six lines, padding and border.
        maxHeight: 'calc(6lh + 18px)',
        m: 0,
        px: 3,
        py: 2.5,
        resize: 'none',
        overflowY: 'auto',
        typography: 'message',
        fontFamily: 'inherit',
        color: 'text.primary',
        bgcolor: 'background.default',
        border: '1px solid',
        borderColor: 'borderStrong',
        borderRadius: radius.panel,
        '&::placeholder': { opacity: 1, color: 'text.secondary' },
        '&:placeholder-shown': { overflow: 'hidden' },
        '&:focus': { borderColor: 'primary.main', outline: '1px solid var(--primary)', outlineOffset: 0 },
        '&:disabled': { bgcolor: 'sunken', cursor: 'not-allowed' },
      }}
    />
  )
}
