import Button from '@mui/material/Button'
import { tooOften } from '@prosa/contracts/flows/too-often'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { clearRobotSuspicion } from '../api.ts'
import { NoteBanner, NoteDetails, NoteWords } from './conversation-note.tsx'

type Suspicion = NonNullable<Contact['suspectedRobot']>

const Words = ({ contactId, suspicion }: { contactId: string; suspicion: Suspicion }) => {
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    ...clearRobotSuspicion,
    onSuccess: (...done) => {
      toast({ kind: 'success', title: 'Os fluxos podem começar de novo com este contato' })
      return clearRobotSuspicion.onSuccess?.(...done)
    },
    onError: (error) =>
      toast({
        kind: 'error',
        title: 'O contato continua marcado como possível robô',
        description: sentenceOf(error, 'Nada mudou. Tente novamente.'),
      }),
  })
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
