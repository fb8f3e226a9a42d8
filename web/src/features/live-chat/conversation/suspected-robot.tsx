import Button from '@mui/material/Button'
import { tooOften } from '@prosa/contracts/flows/too-often'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useClearRobotSuspicion } from '../api.ts'
import { NoteBanner, NoteDetails, NoteWords } from './conversation-note.tsx'

type Suspicion = NonNullable<Contact['suspectedRobot']>

const Words = ({ contactId, suspicion }: { contactId: string; suspicion: Suspicion }) => {
  const { mutate, isPending } = useClearRobotSuspicion()
  return (
    <NoteWords
      title="Este contato pode ser um robô"
      sentence={`Os fluxos pararam: ${tooOften(suspicion)}. Eles voltam quando a conversa for finalizada.`}
      action={
        <Button
          size="small"
          variant="outlined"
          disabled={isPending}
          onClick={() => mutate(contactId)}
          sx={{ flexShrink: 0 }}
        >
          Não é um robô
        </Button>
      }
    />
  )
}

export const SuspectedRobotBanner = ({ contact: { id, suspectedRobot } }: { contact: Contact }) =>
  suspectedRobot && (
    <NoteBanner>
      <Words contactId={id} suspicion={suspectedRobot} />
    </NoteBanner>
  )

export const SuspectedRobotDetails = ({ contact: { id, suspectedRobot } }: { contact: Contact }) =>
  suspectedRobot && (
    <NoteDetails at={suspectedRobot.at}>
      <Words contactId={id} suspicion={suspectedRobot} />
    </NoteDetails>
  )
