import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { ChatBubble, ChatLine } from '../chat-bubble.tsx'
import type { TryoutItem } from './tryout-items.ts'

/** Duration of 'digitando…' in a test, whatever the flow sets. */
const typingMs = 700

const isTyped = (item: TryoutItem) => item.kind === 'own' && item.isTyped

/** Rows with typing appear after `typingMs`, the others at once. */
const useReveal = (items: readonly TryoutItem[]): { shown: readonly TryoutItem[]; isTyping: boolean } => {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [count, setCount] = useState(items.length)
  const at = Math.min(count, items.length)
  const pause = isStill ? -1 : items.findIndex((item, index) => index >= at && isTyped(item))
  const reached = pause === -1 ? items.length : pause
  useEffect(() => {
    if (reached !== count) {
      setCount(reached)
      return
    }
    if (pause !== reached) return
    const timer = setTimeout(() => setCount(reached + 1), typingMs)
    return () => clearTimeout(timer)
  }, [count, reached, pause])
  return { shown: items.slice(0, reached), isTyping: pause !== -1 }
}

interface Props {
  items: readonly TryoutItem[]
  contactName: string
  isWaiting: boolean
}

const Row = ({ item, contactName }: { item: TryoutItem; contactName: string }) => {
  if (item.kind === 'line') return <ChatLine isWarning={item.isWarning}>{item.text}</ChatLine>
  if (item.kind === 'contact') return <ChatBubble isOwn={false} who={contactName} text={item.text} />
  return <ChatBubble isOwn who="Fluxo" text={item.text} file={item.file} />
}

/** New rows are announced to screen readers. */
export const TryoutChat = ({ items, contactName, isWaiting }: Props) => {
  const { shown, isTyping } = useReveal(items)
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added is to be seen
  useEffect(() => {
    const viewport = end.current?.parentElement
    if (viewport) viewport.scrollTop = viewport.scrollHeight
  }, [shown.length, isTyping, isWaiting])
  useEffect(() => {
    const viewport = end.current?.parentElement
    if (!viewport || typeof ResizeObserver === 'undefined') return
    const watcher = new ResizeObserver(() => {
      viewport.scrollTop = viewport.scrollHeight
    })
    watcher.observe(viewport)
    return () => watcher.disconnect()
  }, [])
  return (
    <Box
      role="log"
      aria-label="Conversa de teste"
      tabIndex={0}
      sx={{
        flex: 1,
        minHeight: 0,
        overflowY: 'auto',
        overscrollBehavior: 'contain',
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
        px: 3,
        py: 3,
        bgcolor: 'sunken',
        outlineOffset: '-2px',
      }}
    >
      {shown.length === 0 && !isWaiting && (
        <EmptyState title="Escreva como um cliente" sentence="O rascunho responde aqui, passo a passo." />
      )}
      {shown.map((item) => (
        <Row key={item.key} item={item} contactName={contactName} />
      ))}
      {(isTyping || isWaiting) && (
        <Typography variant="caption" component="p" sx={{ alignSelf: 'flex-end', color: 'text.secondary', px: 2 }}>
          digitando…
        </Typography>
      )}
      <div ref={end} />
    </Box>
  )
}
