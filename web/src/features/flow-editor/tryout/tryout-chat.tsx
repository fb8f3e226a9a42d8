import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useRef } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { ChatBubble, ChatLine } from '../chat-bubble.tsx'
import type { TryoutItem } from './tryout-items.ts'
import type { Reveal } from './use-reveal.ts'

interface Props {
  reveal: Reveal
  contactName: string
  isWaiting: boolean
}

const Row = ({ item, contactName }: { item: TryoutItem; contactName: string }) => {
  if (item.kind === 'line') return <ChatLine isWarning={item.isWarning}>{item.text}</ChatLine>
  if (item.kind === 'contact') return <ChatBubble isOwn={false} who={contactName} text={item.text} />
  return <ChatBubble isOwn who="Fluxo" text={item.text} file={item.file} />
}

/** New rows are announced to screen readers. */
export const TryoutChat = ({ reveal: { shown, isTyping, skip }, contactName, isWaiting }: Props) => {
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
        <Box sx={{ display: 'flex', alignItems: 'center', alignSelf: 'flex-end', gap: 1, px: 2 }}>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            digitando…
          </Typography>
          {isTyping && (
            <Button size="small" onClick={skip}>
              Pular
            </Button>
          )}
        </Box>
      )}
      <div ref={end} />
    </Box>
  )
}
