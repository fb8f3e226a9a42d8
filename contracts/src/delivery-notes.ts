import type { z } from 'zod'
import type { webhookDeliveryEvents } from './events/billing.ts'

export type IgnoredReason = z.infer<(typeof webhookDeliveryEvents)['DeliveryIgnored']>['reason']

export const ignoredNotes: Readonly<Record<IgnoredReason, string>> = {
  test_button: 'Aviso de teste da Kiwify: nada muda.',
  abandoned_cart: 'Carrinho abandonado: ninguém pagou, nada muda.',
  wrapped: 'O conteúdo veio dentro de outro, sem assinatura própria. Foi guardado, e nada muda.',
  list: 'O conteúdo é uma lista, não um aviso. Foi guardado, e nada muda.',
  unknown_event: 'Este tipo de aviso não é conhecido. Foi guardado, e nada muda.',
  not_an_object: 'O conteúdo não é um aviso da Kiwify. Foi guardado, e nada muda.',
  body_gone: 'O conteúdo já tinha sido apagado: nada muda.',
}

/** These need no attention; the others do. */
export const expectedReasons: readonly IgnoredReason[] = ['test_button', 'abandoned_cart', 'body_gone']

export const withoutPlanNote =
  'Nenhum plano tem este produto: o pedido não abre acesso até que se escolha o plano dele, em Transações.'

/** `field` is null without valid JSON. */
export const unreadableNote = (field: string | null): string =>
  field ? `O campo ${field} não pôde ser lido.` : 'O conteúdo não é JSON.'
