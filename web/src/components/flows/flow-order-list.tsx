import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import DownIcon from '~icons/ic/round-arrow-downward'
import UpIcon from '~icons/ic/round-arrow-upward'
import DragIcon from '~icons/ic/round-drag-indicator'
import { ScreenReaderText } from '../screen-reader-text.tsx'

interface OrderedItem {
  id: string
  name: string
  detail: ReactNode
  isMarked?: boolean
}

interface Props {
  label: string
  items: readonly OrderedItem[]
  /** All ids in the new order. */
  onOrder: (ids: string[]) => void
}

const moved = (ids: readonly string[], from: number, to: number): string[] => {
  const rest = ids.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ids[from] ?? '', ...rest.slice(to)]
}

interface RowProps {
  item: OrderedItem
  index: number
  isLast: boolean
  isDragged: boolean
  onDrag: () => void
  onMove: (to: number) => void
}

const Row = ({ item: { id, name, detail, isMarked }, index, isLast, isDragged, onDrag, onMove }: RowProps) => (
  <Box
    component="li"
    sx={{
      listStyle: 'none',
      display: 'flex',
      alignItems: 'center',
      gap: 1,
      minWidth: 0,
      p: 1,
      border: '1px solid',
      borderColor: isMarked ? 'primary.main' : 'divider',
      borderRadius: 1,
      bgcolor: isDragged ? 'action.hover' : 'background.paper',
    }}
  >
    <IconButton
      aria-label={`Mover ${name}: ${index + 1}º. Use as setas`}
      data-order-handle={id}
      sx={{ cursor: 'grab', touchAction: 'none' }}
      onPointerDown={onDrag}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (by === 0) return
        event.preventDefault()
        event.stopPropagation()
        onMove(index + by)
      }}
    >
      <DragIcon />
    </IconButton>
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography component="div" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
        {index + 1}. {name}
      </Typography>
      <Typography component="div" variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {detail}
      </Typography>
    </Box>
    <IconButton aria-label={`Subir ${name}`} disabled={index === 0} onClick={() => onMove(index - 1)}>
      <UpIcon />
    </IconButton>
    <IconButton aria-label={`Descer ${name}`} disabled={isLast} onClick={() => onMove(index + 1)}>
      <DownIcon />
    </IconButton>
  </Box>
)

/** Rows that are dragged by their handle, or moved by its arrows and by buttons. */
export const FlowOrderList = ({ label, items, onOrder }: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<{ id: string; ids: string[] } | null>(null)
  const [moves, setMoves] = useState({ sentence: '', focus: '' })
  const ids = items.map(({ id }) => id)
  const shown = (dragged?.ids ?? ids).flatMap((id) => items.find((item) => item.id === id) ?? [])

  // A moved row is a new place in the page, which takes the focus away.
  useLayoutEffect(() => {
    if (moves.focus !== '') list.current?.querySelector<HTMLElement>(`[data-order-handle="${moves.focus}"]`)?.focus()
  }, [moves])

  const move = (id: string, to: number) => {
    const from = ids.indexOf(id)
    if (to < 0 || to >= ids.length || to === from) return
    const name = items[from]?.name ?? ''
    setMoves({ sentence: `${name}: ${to + 1}º de ${ids.length}`, focus: id })
    onOrder(moved(ids, from, to))
  }
  const drag = useEffectEvent(({ clientY }: PointerEvent) => {
    if (!dragged) return
    const rows = [...(list.current?.children ?? [])]
    const over = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom)
    const to = over < 0 ? rows.length - 1 : over
    const from = dragged.ids.indexOf(dragged.id)
    if (to !== from) setDragged({ ...dragged, ids: moved(dragged.ids, from, to) })
  })
  const drop = useEffectEvent(() => {
    if (dragged) move(dragged.id, dragged.ids.indexOf(dragged.id))
    setDragged(null)
  })
  const isDragging = dragged !== null
  // On the window: a row that moves in the page loses the pointer that it captured.
  useEffect(() => {
    if (!isDragging) return
    const stop = new AbortController()
    window.addEventListener('pointermove', (event) => drag(event), stop)
    window.addEventListener('pointerup', () => drop(), stop)
    window.addEventListener('pointercancel', () => setDragged(null), stop)
    return () => stop.abort()
  }, [isDragging])

  return (
    <>
      <Box component="ol" ref={list} aria-label={label} sx={{ m: 0, p: 0, display: 'grid', gap: 2 }}>
        {shown.map((item, index) => (
          <Row
            key={item.id}
            item={item}
            index={index}
            isLast={index === shown.length - 1}
            isDragged={dragged?.id === item.id}
            onDrag={() => setDragged({ id: item.id, ids })}
            onMove={(to) => move(item.id, to)}
          />
        ))}
      </Box>
      <ScreenReaderText>
        <span role="status">{moves.sentence}</span>
      </ScreenReaderText>
    </>
  )
}
