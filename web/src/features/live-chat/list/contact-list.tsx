import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useAtomValue } from 'jotai'
import { type Ref, type RefObject, useCallback, useEffect, useImperativeHandle, useRef } from 'react'
import { chosenAtom, cursorAtom } from '../atoms.ts'
import { NotLoaded } from '../not-loaded.tsx'
import { useNow } from '../use-now.ts'
import { ContactRow, contactRowId } from './contact-row.tsx'
import type { ContactList as Contacts } from './use-contact-list.ts'

interface Options {
  contacts: Contact[]
  cursor: string | null
  virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex'>
  onSelect: (contactId: string) => void
}

/** The returned handler selects without scrolling: a pressed row is in view. */
const useCursorScroll = ({ contacts, cursor, virtual, onSelect }: Options) => {
  // Only moves of the cursor scroll, not rows that change order under it, nor presses.
  const order = useRef(contacts)
  order.current = contacts
  const pressed = useRef<string | null>(null)
  // Stable: a new handler would render every row again.
  const select = useRef(onSelect)
  select.current = onSelect
  const press = useCallback((contactId: string) => {
    pressed.current = contactId
    select.current(contactId)
  }, [])
  useEffect(() => {
    const wasPressed = cursor === pressed.current
    pressed.current = null
    if (wasPressed) return
    const index = order.current.findIndex(({ id }) => id === cursor)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  }, [cursor, virtual])
  return press
}

/** Counts conversations that join once the list may move. Not clickable: it may appear under the pointer. */
const LateRows = ({ late }: { late: number }) => (
  <Typography
    role="status"
    variant="caption"
    sx={{
      position: 'absolute',
      insetInline: 0,
      bottom: 0,
      zIndex: 1,
      py: late > 0 ? 1 : 0,
      textAlign: 'center',
      pointerEvents: 'none',
      color: 'primary.main',
      bgcolor: 'primarySoft',
    }}
  >
    {late > 0 && (late === 1 ? '1 nova' : `${late} novas`)}
  </Typography>
)

/** `--row-height` in px. */
const rowHeight = 68
/** Within this many rows of the end, the next page is fetched. */
const pageReach = 10

interface Props {
  list: Contacts
  label: string
  selectedId: string | null
  ref?: Ref<HTMLElement>
  onSelect: (contactId: string) => void
}

/** Releases the list on typing elsewhere and on unmount. */
const useListRelease = (viewport: RefObject<HTMLElement | null>, onFreeze: Contacts['onFreeze']): void => {
  // An idle pointer over the list freezes nothing while somebody types.
  useEffect(() => {
    const release = (event: KeyboardEvent) => {
      if (!(event.target instanceof Node && viewport.current?.contains(event.target))) onFreeze('pointer', false)
    }
    window.addEventListener('keydown', release, true)
    return () => {
      window.removeEventListener('keydown', release, true)
      onFreeze('pointer', false)
      onFreeze('focus', false)
    }
  }, [onFreeze, viewport])
}

/** After a failure only a press or a successful poll continues. */
const useNextPage = ({ hasNextPage, isFetchingNextPage, isError, fetchNextPage }: Contacts, rowsLeft: number) => {
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError && rowsLeft <= pageReach) void fetchNextPage()
  }, [rowsLeft, hasNextPage, isFetchingNextPage, isError, fetchNextPage])
}

/** Virtual; rows slide to new positions except while scrolling. */
export const ContactList = ({ list, label, selectedId, ref, onSelect }: Props) => {
  const { contacts, late, hasNextPage, isFetchingNextPage, isError, fetchNextPage, onFreeze } = list
  const viewport = useRef<HTMLDivElement>(null)
  const cursor = useAtomValue(cursorAtom)
  const isChoosing = useAtomValue(chosenAtom) !== null
  const now = useNow(20_000)
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => viewport.current)

  const virtual = useVirtualizer({
    count: contacts.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => contacts[index]?.id ?? index,
    overscan: 8,
  })
  const rows = virtual.getVirtualItems()
  const rowsLeft = contacts.length - (rows.at(-1)?.index ?? 0)
  useNextPage(list, rowsLeft)
  const press = useCursorScroll({ contacts, cursor, virtual, onSelect })
  useListRelease(viewport, onFreeze)
  const cursorShown = rows.some(({ key }) => key === cursor)
  return (
    <Box
      onPointerEnter={() => onFreeze('pointer', true)}
      onPointerMove={() => onFreeze('pointer', true)}
      onPointerLeave={() => onFreeze('pointer', false)}
      sx={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
    >
      <LateRows late={late} />
      <Box
        ref={viewport}
        onFocus={() => onFreeze('focus', true)}
        onBlur={() => onFreeze('focus', false)}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isChoosing || undefined}
        aria-activedescendant={cursor !== null && cursorShown ? contactRowId(cursor) : undefined}
        tabIndex={0}
        sx={{ flex: 1, minHeight: 0, overflowY: 'auto', overscrollBehavior: 'contain', outlineOffset: '-2px' }}
      >
        <Box role="presentation" sx={{ position: 'relative' }} style={{ height: virtual.getTotalSize() }}>
          {rows.map(({ key, index, start }) => {
            const contact = contacts[index]
            return (
              contact && (
                <div
                  key={key}
                  role="presentation"
                  style={{
                    position: 'absolute',
                    top: 0,
                    insetInline: 0,
                    transform: `translateY(${start}px)`,
                    transition: virtual.isScrolling ? undefined : 'transform var(--place)',
                  }}
                >
                  <ContactRow
                    contact={contact}
                    now={now}
                    selected={contact.id === selectedId}
                    underCursor={contact.id === cursor}
                    position={index + 1}
                    onSelect={press}
                  />
                </div>
              )
            )
          })}
        </Box>
      </Box>
      {hasNextPage && isError && rowsLeft <= pageReach && (
        <NotLoaded
          sentence="Não foi possível carregar mais conversas."
          isAsking={isFetchingNextPage}
          onAgain={() => void fetchNextPage()}
        />
      )}
    </Box>
  )
}
