import { expect, it } from 'vitest'
import { ApiProblem } from '../../lib/http.ts'
import { sendFailure } from './use-outbox.ts'

it.each([
  [429, 'media_day_used_up', 'Tente de novo em 3 horas; textos continuam saindo.'],
  [413, 'media_storage_full', 'Apague contatos de que não precisa mais e tente de novo.'],
  [429, 'too_many_attempts', 'Muitas tentativas. Tente de novo em 12 minutos.'],
])('says of what was refused as too much (%i %s) what the server says', (status, type, sentence) => {
  expect(sendFailure(new ApiProblem(status, type, sentence))).toBe(sentence)
})

it('says of other failures what the specification says', () => {
  expect(sendFailure(new ApiProblem(500, 'unexpected', 'Não foi possível concluir.'))).toBe(
    'Erro ao enviar mensagem. Tente novamente.',
  )
})
