import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { oneAnswerSentence } from '@prosa/contracts/flows/one-answer'
import type { OpeningHoursShown } from '@prosa/contracts/http/opening-hours'
import { maximumOutOfHoursLength } from '@prosa/contracts/values/lengths'
import { CompanyNameField } from '../../../components/company-name-field.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useFollowedDraft } from '../../../lib/forms/use-followed-draft.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useSetOutOfHoursReply } from './api.ts'

/** The switch is saved at once, the text with the button. */
export const ReplyForm = ({ hours: { isSet, reply } }: { hours: OpeningHoursShown }) => {
  const turn = useSetOutOfHoursReply()
  const form = useForm(useFollowedDraft({ text: reply.text }), {
    command: useSetOutOfHoursReply(),
    toInput: ({ text }) => ({ text }),
    onDone: (saved) => form.setValues({ text: saved.reply.text }),
  })
  const isOn = turn.isPending ? (turn.variables.isOn ?? reply.isOn) : reply.isOn
  return (
    <Panel>
      <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4, p: 4 }}>
        <Typography variant="h3">Resposta automática fora do horário</Typography>
        <Box>
          <FormControlLabel
            control={
              <Switch
                checked={isOn}
                disabled={!isSet || turn.isPending}
                onChange={(_event, checked) => turn.mutate({ isOn: checked })}
              />
            }
            label="Responder a quem escreve fora do horário"
            sx={{ minHeight: 'var(--target)' }}
          />
          <Typography sx={{ color: 'text.secondary' }}>
            {isSet
              ? 'Uma vez por contato até você abrir de novo, e só para quem está aguardando. A conversa continua aguardando.'
              : 'Salve seus horários acima para poder ligar.'}
          </Typography>
          <Typography sx={{ mt: 2, color: 'text.secondary', textWrap: 'pretty' }}>{oneAnswerSentence}</Typography>
        </Box>
        <TextAreaField
          label="Mensagem"
          help="Onde você escrever {nome} vai o primeiro nome do contato, e {empresa} vira o nome da sua empresa."
          maxLength={maximumOutOfHoursLength}
          {...form.bind('text')}
        />
        <CompanyNameField text={form.values.text} />
        <Button
          type="submit"
          variant="outlined"
          disabled={form.isPending || form.values.text === reply.text}
          sx={{ justifySelf: 'start' }}
        >
          {form.isPending ? 'Salvando...' : 'Salvar mensagem'}
        </Button>
      </Box>
    </Panel>
  )
}
