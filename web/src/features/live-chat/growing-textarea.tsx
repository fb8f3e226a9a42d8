import Box from '@mui/material/Box'
import { type ComponentProps, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { radius } from '../../lib/radius.ts'

interface Props extends ComponentProps<'textarea'> {
  value: string
  /** Stands where there is no room for the other: a text field cuts its placeholder in the middle of a word. */
  shortPlaceholder: string
  ref?: Ref<HTMLTextAreaElement>
}

/** Room for the longest placeholder, in px. */
const roomyPx = 380

/** A text field as high as its text, from one line to six; a placeholder never makes it higher. */
export const GrowingTextarea = ({ ref, value, placeholder, shortPlaceholder, ...rest }: Props) => {
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
      placeholder={isRoomy ? placeholder : shortPlaceholder}
      {...rest}
      sx={{
        display: 'block',
        flex: 1,
        minWidth: 0,
        minHeight: 44,
        // Six lines, the padding above and below, and the border.
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
        '&::placeholder': { opacity: 1, color: 'text.secondary', whiteSpace: 'nowrap', textOverflow: 'ellipsis' },
        '&:placeholder-shown': { overflow: 'hidden', textOverflow: 'ellipsis' },
        '&:focus': { borderColor: 'primary.main', outline: '1px solid var(--primary)', outlineOffset: 0 },
        '&:disabled': { bgcolor: 'sunken', cursor: 'not-allowed' },
      }}
    />
  )
}
