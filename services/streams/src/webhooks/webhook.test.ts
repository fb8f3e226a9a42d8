import { maximumWebhooks } from '@prosa/contracts/values/webhook'
import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type WebhookCommand, type WebhookEvent, webhooks } from './webhook.ts'

const given = specify(webhooks)

const settings = {
  webhookId: 'w',
  name: 'Planilha',
  address: 'https://example.com/prosa',
  types: ['prosa.contacts.message-received.v1'],
  withPersonal: false,
}
const addition = { ...settings, secretId: 's1' }
const added: WebhookEvent = { type: 'WebhookAdded', data: addition }
const add: WebhookCommand = { type: 'AddWebhook', data: addition }
const one = { webhookId: 'w' }
const removed: WebhookEvent = { type: 'WebhookRemoved', data: one }
const disabled: WebhookEvent = { type: 'WebhookDisabled', data: { ...one, cause: 'failing' } }

describe('a webhook', () => {
  it('is added once, however often the command comes, also after it was removed', () => {
    given().when(add).then(added)
    given(added).when(add).thenNothing()
    given(added, removed).when(add).thenNothing()
  })

  it('is one of five at most', () => {
    const five = Array.from(
      { length: maximumWebhooks },
      (_, index): WebhookEvent => ({
        type: 'WebhookAdded',
        data: { ...addition, webhookId: String(index) },
      }),
    )
    given(...five)
      .when(add)
      .thenRejected('too_many_webhooks')
  })

  it('is revised, the same again is nothing', () => {
    const data = { ...settings, withPersonal: true }
    given(added).when({ type: 'ReviseWebhook', data }).then({ type: 'WebhookRevised', data })
    given(added).when({ type: 'ReviseWebhook', data: settings }).thenNothing()
  })

  it('is paused, disabled and resumed, each once', () => {
    const paused: WebhookEvent = { type: 'WebhookPaused', data: one }
    const resumed: WebhookEvent = { type: 'WebhookResumed', data: one }
    given(added).when({ type: 'PauseWebhook', data: one }).then(paused)
    given(added, paused).when({ type: 'PauseWebhook', data: one }).thenNothing()
    given(added, paused).when({ type: 'ResumeWebhook', data: one }).then(resumed)
    given(added).when({ type: 'ResumeWebhook', data: one }).thenNothing()
    given(added, paused)
      .when({ type: 'DisableWebhook', data: { ...one, cause: 'failing' } })
      .then(disabled)
    given(added, disabled)
      .when({ type: 'DisableWebhook', data: { ...one, cause: 'gone' } })
      .thenNothing()
    given(added, disabled).when({ type: 'ResumeWebhook', data: one }).then(resumed)
    given(added, disabled).when({ type: 'PauseWebhook', data: one }).thenNothing()
  })

  it('changes its secret; the former one signs on until then', () => {
    const data = { ...one, secretId: 's2', formerUntil: '2026-11-28T03:00:00.000Z' }
    const rotated: WebhookEvent = { type: 'WebhookSecretRotated', data }
    given(added).when({ type: 'RotateWebhookSecret', data }).then(rotated)
    given(added, rotated).when({ type: 'RotateWebhookSecret', data }).thenNothing()
    const { existing } = fold(webhooks, webhooks.initial, [added, rotated])
    expect(existing.get('w')).toMatchObject({ secretId: 's2', former: { secretId: 's1', until: data.formerUntil } })
  })

  it('is removed once, and all of them with the account', () => {
    given(added).when({ type: 'RemoveWebhook', data: one }).then(removed)
    given(added, removed).when({ type: 'RemoveWebhook', data: one }).thenNothing()
    given(added).when({ type: 'RemoveAllWebhooks', data: {} }).then(removed)
    given(added, removed).when({ type: 'RemoveAllWebhooks', data: {} }).thenNothing()
  })

  it('that does not exist is refused', () => {
    const commands: WebhookCommand[] = [
      { type: 'ReviseWebhook', data: settings },
      { type: 'RotateWebhookSecret', data: { ...one, secretId: 's2', formerUntil: '2026-11-28T03:00:00.000Z' } },
      { type: 'PauseWebhook', data: one },
      { type: 'ResumeWebhook', data: one },
      { type: 'DisableWebhook', data: { ...one, cause: 'gone' } },
      { type: 'RemoveWebhook', data: one },
      { type: 'RequestWebhookTest', data: one },
      { type: 'RequestWebhookRepeat', data: { ...one, eventId: null } },
    ]
    for (const command of commands) given().when(command).thenRejected('webhook_not_found')
  })

  it('is tested whatever its status, and repeats what failed unless it is disabled', () => {
    const tested: WebhookEvent = { type: 'WebhookTestRequested', data: one }
    const data = { ...one, eventId: null }
    for (const events of [[added], [added, disabled], [added, tested]])
      given(...events)
        .when({ type: 'RequestWebhookTest', data: one })
        .then(tested)
    given(added).when({ type: 'RequestWebhookRepeat', data }).then({ type: 'WebhookRepeatRequested', data })
    given(added, disabled).when({ type: 'RequestWebhookRepeat', data }).thenRejected('webhook_is_disabled')
  })
})
