import { expect, it } from 'vitest'
import { ApiProblem } from '../../../lib/http/http.ts'
import { sendFailure } from './send-failure.ts'

it.each([
  [429, 'media_day_used_up', 'Tente de novo em 3 horas; textos continuam saindo.'],
  [413, 'media_storage_full', 'Apague contatos de que não precisa mais e tente de novo.'],
  [403, 'email_not_confirmed', 'Confirme seu e-mail para enviar mensagens: abra o link que enviamos, ou peça outro.'],
  [402, 'subscription_ended', 'Seu período terminou. Escolha um plano para voltar a enviar.'],
  [429, 'too_many_attempts', 'Muitas tentativas. Tente de novo em 12 minutos.'],
])(
  'shows of what was refused for a reason that the person can mend (%i %s) the sentence of the server',
  (status, type, sentence) => {
    expect(sendFailure(new ApiProblem(status, type, sentence))).toBe(sentence)
  },
)

it('shows of other failures the sentence of the specification', () => {
  expect(sendFailure(new ApiProblem(500, 'unexpected', 'Não foi possível concluir.'))).toBe(
    'Erro ao enviar mensagem. Tente novamente.',
  )
})
