import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { PersonAvatar } from '../../../components/person-avatar.tsx'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { useContactFields } from '../../../lib/account/contact-fields.ts'
import { currentUserQuery } from '../../../lib/account/current-user.ts'
import { ChatBubble, ChatLine } from '../chat-bubble.tsx'
import { PartDialog } from '../part-dialog.tsx'
import { useFlowNames } from '../use-flow-names.ts'
import { type Choices, type PreviewItem, previewConversation } from './preview-conversation.ts'

const PhoneFrame = ({ company, children }: { company: string; children: ReactNode }) => (
  <Box
    sx={{
      display: 'flex',
      flexDirection: 'column',
      width: 'min(var(--phone-width), 100%)',
      height: 'var(--phone-height)',
      maxHeight: '100%',
      mx: 'auto',
      overflow: 'hidden',
      border: '6px solid',
      borderColor: 'borderStrong',
      borderRadius: 'var(--radius-device)',
      bgcolor: 'sunken',
    }}
  >
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 3,
        py: 2,
        bgcolor: 'surface',
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <PersonAvatar name={company} size="small" />
      <Typography noWrap variant="subtitle2" component="p">
        {company}
      </Typography>
    </Box>
    {children}
  </Box>
)

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** ↑ ↓ Home End move through the rows (roving tabindex). */
const useRowWalk = (count: number) => {
  const [current, setCurrent] = useState(0)
  const at = Math.min(current, Math.max(0, count - 1))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const next = step(at, count - 1)
    setCurrent(next)
    const row = event.currentTarget.children[next]
    if (row instanceof HTMLElement) row.focus()
  }
  const rowProps = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setCurrent(index) })
  return { onKeyDown, rowProps }
}

interface Props {
  flowId: string
  document: FlowDocument
  onClose: () => void
}

type Choice = PreviewItem & { kind: 'choice' }

const Ways = ({ item, onChoose }: { item: Choice; onChoose: (item: Choice, output: Choice['chosen']) => void }) => (
  <Box
    sx={{
      display: 'grid',
      justifyItems: 'center',
      gap: 1.5,
      py: 2,
      borderBlock: '1px dashed',
      borderColor: 'borderStrong',
    }}
  >
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', textAlign: 'center' }}>
      {item.question}
    </Typography>
    <ChoiceGroup
      label={item.question}
      choices={item.options.map(({ output, name }) => ({ value: output, label: name }))}
      value={item.chosen}
      onChange={(output) => onChoose(item, output)}
    />
  </Box>
)

interface ConversationProps {
  items: readonly PreviewItem[]
  company: string
  onChoose: (item: Choice, output: Choice['chosen']) => void
}

const Conversation = ({ items, company, onChoose }: ConversationProps) => {
  const { onKeyDown, rowProps } = useRowWalk(items.length)
  return (
    <Box
      component="ol"
      aria-label="Conversa"
      onKeyDown={onKeyDown}
      sx={{
        flex: 1,
        minHeight: 0,
        m: 0,
        p: 3,
        listStyle: 'none',
        overflowY: 'auto',
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
      }}
    >
      {items.map((item, index) => (
        <Box component="li" key={item.key} {...rowProps(index)}>
          {item.kind === 'line' && <ChatLine>{item.text}</ChatLine>}
          {item.kind === 'choice' && <Ways item={item} onChoose={onChoose} />}
          {item.kind === 'contact' && <ChatBubble isOwn who="Cliente" text={item.text} />}
          {item.kind === 'business' && <ChatBubble isOwn={false} who={company} text={item.text} file={item.file} />}
        </Box>
      ))}
    </Box>
  )
}

export const PreviewDialog = ({ document, onClose }: Props) => {
  const names = useFlowNames()
  const { data: user } = useQuery(currentUserQuery)
  const company = user?.company.name ?? ''
  const fields = useContactFields()
  const [choices, setChoices] = useState<Choices>({})
  const [announced, setAnnounced] = useState('')
  const items = useMemo(
    () => previewConversation(document, choices, names, company, fields),
    [document, choices, names, company, fields],
  )
  const choose = ({ nodeId, question, options }: Choice, output: Choice['chosen']) => {
    setChoices({ ...choices, [nodeId]: output })
    setAnnounced(`${question}: agora segue o caminho ${options.find((one) => one.output === output)?.name}.`)
  }
  return (
    <PartDialog title="Preview" maxWidth="sm" onClose={onClose}>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, minHeight: 0 }}>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', maxWidth: 'var(--form-width)' }}>
          Como o telefone do cliente mostra a conversa, com respostas de exemplo. Escolha em cada desvio o caminho a
          ver.
        </Typography>
        {items.length === 0 ? (
          <EmptyState
            title="Nada a mostrar"
            sentence="O fluxo ainda não tem gatilho: adicione um para ver a conversa."
          />
        ) : (
          <PhoneFrame company={company || 'Sua empresa'}>
            <Conversation items={items} company={company || 'Sua empresa'} onChoose={choose} />
          </PhoneFrame>
        )}
        <ScreenReaderText>
          <span role="status">{announced}</span>
        </ScreenReaderText>
      </DialogContent>
    </PartDialog>
  )
}
