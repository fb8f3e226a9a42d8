import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ChoiceGroup } from '../../../components/choice-group.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { currentUserQuery } from '../../../lib/current-user.ts'
import { ChatBubble, ChatLine } from '../chat-bubble.tsx'
import { PartDialog } from '../part-dialog.tsx'
import { outputName } from '../step-words.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { PhoneFrame } from './phone-frame.tsx'
import { type Choices, type PreviewItem, previewConversation } from './preview-conversation.ts'
import { useRowWalk } from './use-row-walk.ts'

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
      choices={item.options.map((output) => ({ value: output, label: outputName(output) }))}
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
  const company = user?.company.name ?? 'Sua empresa'
  const [choices, setChoices] = useState<Choices>({})
  const [announced, setAnnounced] = useState('')
  const items = useMemo(
    () => previewConversation(document, choices, names, company),
    [document, choices, names, company],
  )
  const choose = ({ nodeId, question }: Choice, output: Choice['chosen']) => {
    setChoices({ ...choices, [nodeId]: output })
    setAnnounced(`${question}: agora segue o caminho ${outputName(output)}.`)
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
          <PhoneFrame company={company}>
            <Conversation items={items} company={company} onChoose={choose} />
          </PhoneFrame>
        )}
        <ScreenReaderText>
          <span role="status">{announced}</span>
        </ScreenReaderText>
      </DialogContent>
    </PartDialog>
  )
}
