import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { tooOften } from '@prosa/contracts/flows/too-often'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useMutation } from '@tanstack/react-query'
import { dayAndTime } from '../../../lib/format.ts'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'
import { clearRobotSuspicion } from '../api.ts'
import { useNow } from '../use-now.ts'

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
    <>
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Typography variant="subtitle2" component="p">
          Este contato pode ser um robô
        </Typography>
        <Typography variant="caption" component="p">
          {`Os fluxos pararam: ${tooOften(suspicion)}. Eles voltam quando a conversa for finalizada.`}
        </Typography>
      </Box>
      <Button
        size="small"
        variant="outlined"
        disabled={isPending}
        onClick={() => mutate(contactId)}
        sx={{ flexShrink: 0 }}
      >
        Não é um robô
      </Button>
    </>
  )
}

/** Above the conversation, while flows pause with the contact: why, and the way to let them go on. */
export const SuspectedRobotBanner = ({ contact: { id, suspectedRobot } }: { contact: Contact }) =>
  suspectedRobot && (
    <Box
      role="note"
      sx={{
        flexShrink: 0,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 2,
        px: 4,
        py: 2,
        bgcolor: 'warnSoft',
      }}
    >
      <Words contactId={id} suspicion={suspectedRobot} />
    </Box>
  )

/** The same among the details, with when it was. */
export const SuspectedRobotDetails = ({ contact: { id, suspectedRobot } }: { contact: Contact }) => {
  const now = useNow(60_000)
  if (!suspectedRobot) return null
  return (
    <Box component="section" sx={{ mb: 4, display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Words contactId={id} suspicion={suspectedRobot} />
      <Typography variant="caption" component="p" sx={{ flexBasis: '100%', color: 'text.secondary' }}>
        {`Desde ${dayAndTime(suspectedRobot.at, now)}`}
      </Typography>
    </Box>
  )
}
