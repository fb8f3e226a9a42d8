import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type ConnectionCommand, type ConnectionEvent, connection } from './connection.ts'

const given = specify(connection)
const until = '2026-11-21T14:02:00.000Z'
const laterUntil = '2026-11-21T14:12:00.000Z'
const number = { phone: '5511900000001', lid: '163640653162923', pushName: null }

const added: ConnectionEvent = { type: 'ConnectionAdded', data: { name: 'Balcão', network: 'simulator' } }
const linking: ConnectionEvent = { type: 'LinkingStarted', data: { until } }
const expired: ConnectionEvent = { type: 'LinkingExpired', data: {} }
const linked: ConnectionEvent = { type: 'NumberLinked', data: number }
const opened: ConnectionEvent = { type: 'LineOpened', data: {} }
const dropped: ConnectionEvent = { type: 'LineDropped', data: { code: 428, reason: 'Connection Terminated' } }
const replaced: ConnectionEvent = { type: 'ConnectionReplaced', data: {} }
const refused: ConnectionEvent = { type: 'ConnectionRefused', data: { code: 403, reason: 'forbidden' } }
const unlinked: ConnectionEvent = { type: 'NumberUnlinked', data: {} }
const disconnected: ConnectionEvent = { type: 'ConnectionDisconnected', data: {} }
const removed: ConnectionEvent = { type: 'ConnectionRemoved', data: {} }

const add: ConnectionCommand = { type: 'AddConnection', data: { name: 'Balcão', network: 'simulator', until } }
const startLinking: ConnectionCommand = { type: 'StartLinking', data: { until: laterUntil } }
const issue: ConnectionCommand = { type: 'IssueQrCode', data: { generation: 0, expiresAt: until } }
const ask: ConnectionCommand = { type: 'AskPairingCode', data: {} }
const pair: ConnectionCommand = {
  type: 'IssuePairingCode',
  data: { generation: 0, phone: '5511900000001', expiresAt: until },
}
const expire: ConnectionCommand = { type: 'ExpireLinking', data: { until } }
const link: ConnectionCommand = { type: 'LinkNumber', data: { generation: 0, ...number } }
const open: ConnectionCommand = { type: 'OpenLine', data: { generation: 0 } }
const drop: ConnectionCommand = {
  type: 'DropLine',
  data: { generation: 0, code: 428, reason: 'Connection Terminated' },
}
const replace: ConnectionCommand = { type: 'ReplaceConnection', data: { generation: 0 } }
const refuse: ConnectionCommand = {
  type: 'RefuseConnection',
  data: { generation: 0, code: 403, reason: 'forbidden' },
}
const unlink: ConnectionCommand = { type: 'UnlinkNumber', data: { generation: 0 } }
const disconnect: ConnectionCommand = { type: 'DisconnectConnection', data: {} }
const remove: ConnectionCommand = { type: 'RemoveConnection', data: {} }

describe('a connection', () => {
  it('starts linking as soon as it is added', () => given().when(add).then(added, linking))
  it('is added once, however often the request is repeated', () => given(added, linking).when(add).thenNothing())
  it('is added or linked anew by one command, and left alone once it is linked', () => {
    const addOrRefresh: ConnectionCommand = {
      type: 'AddOrRefreshConnection',
      data: { name: 'Balcão', network: 'simulator', until },
    }
    given().when(addOrRefresh).then(added, linking)
    given(added, linking, expired).when(addOrRefresh).then(linking)
    given(added, linking, linked).when(addOrRefresh).thenRejected('connection_already_linked')
    given(added, linking, removed).when(addOrRefresh).thenRejected('connection_not_found')
  })
  it('records once that an attempt waits for its turn, and gives it all its time when it has it', () => {
    const delay: ConnectionCommand = { type: 'DelayLinking', data: { until } }
    const resume: ConnectionCommand = { type: 'ResumeLinking', data: { waitedUntil: until, until: laterUntil } }
    const delayed: ConnectionEvent = { type: 'LinkingDelayed', data: {} }
    const resumed: ConnectionEvent = { type: 'LinkingStarted', data: { until: laterUntil } }
    given(added, linking).when(delay).then(delayed)
    given(added, linking, delayed).when(delay).thenNothing()
    given(added, linking, delayed).when(resume).then(resumed)
    given(added, linking, delayed, resumed).when(resume).thenNothing()
    given(added, linking, delayed).when(expire).then(expired)
    for (const gone of [expired, disconnected, removed])
      for (const command of [delay, resume])
        given(added, linking, ...(command === resume ? [delayed] : []), gone)
          .when(command)
          .thenNothing()
    given(added, linking, resumed).when(delay).thenNothing()
  })
  it('links again after nobody scanned', () =>
    given(added, linking, expired)
      .when(startLinking)
      .then({ type: 'LinkingStarted', data: { until: laterUntil } }))
  it('asks for new codes while the old ones are still shown', () =>
    given(added, linking)
      .when(startLinking)
      .then({ type: 'LinkingStarted', data: { until: laterUntil } }))
  it('does not link a second number over the first', () =>
    given(added, linking, linked).when(startLinking).thenRejected('connection_already_linked'))
  it('takes the line back after another program took it', () =>
    given(added, linking, linked, replaced)
      .when(startLinking)
      .then({ type: 'LinkingStarted', data: { until: laterUntil } }))
  it('cannot be linked when it does not exist', () => given().when(startLinking).thenRejected('connection_not_found'))

  it('shows codes only while linking', () => {
    given(added, linking)
      .when(issue)
      .then({ type: 'QrCodeIssued', data: { expiresAt: until } })
    given(added, linking, expired).when(issue).thenNothing()
  })
  it('gives a pairing code only while it waits for a phone', () => {
    given(added, linking).when(ask).thenNothing()
    for (const events of [
      [added, linking, expired],
      [added, linking, linked],
      [added, linking, linked, unlinked],
    ])
      given(...events)
        .when(ask)
        .thenRejected('pairing_code_unavailable')
    given().when(ask).thenRejected('connection_not_found')
    given(added, linking, removed).when(ask).thenRejected('connection_not_found')
  })
  it('shows a pairing code only while linking', () => {
    given(added, linking)
      .when(pair)
      .then({ type: 'PairingCodeIssued', data: { phone: '5511900000001', expiresAt: until } })
    given(added, linking, expired).when(pair).thenNothing()
    given(added, linking, linked).when(pair).thenNothing()
  })
  it('expires once', () => {
    given(added, linking).when(expire).then(expired)
    given(added, linking, expired).when(expire).thenNothing()
  })
  it('is not expired by the clock of an earlier attempt', () =>
    given(added, linking, { type: 'LinkingStarted', data: { until: laterUntil } })
      .when(expire)
      .thenNothing())

  it('gets its number once', () => {
    given(added, linking).when(link).then(linked)
    given(added, linking, linked).when(link).thenNothing()
  })
  it('keeps a number that was scanned in the last moment', () => given(added, linking, expired).when(link).then(linked))
  it('opens once', () => {
    given(added, linking, linked).when(open).then(opened)
    given(added, linking, linked, opened).when(open).thenNothing()
  })
  it('is dropped once per outage', () => {
    given(added, linking, linked, opened).when(drop).then(dropped)
    given(added, linking, linked, opened, dropped).when(drop).thenNothing()
    given(added, linking, linked, opened, dropped, opened).when(drop).then(dropped)
  })
  it('is replaced once', () => {
    given(added, linking, linked, opened).when(replace).then(replaced)
    given(added, linking, linked, opened, replaced).when(replace).thenNothing()
  })
  it('keeps its credentials when it is refused for a while only, so that nobody has to scan again', () => {
    const banned: ConnectionEvent = { type: 'ConnectionRefused', data: { code: 402, reason: 'Connection Failure' } }
    given(added, linking, linked, banned, linking, linked).when(open).then(opened)
    given(added, linking, linked, refused, linking, linked).when(open).thenNothing()
    given(added, linking, linked, banned).when(unlink).then(unlinked)
  })
  it('is refused once', () => {
    given(added, linking, linked).when(refuse).then(refused)
    given(added, linking, linked, refused).when(refuse).thenNothing()
  })
  it('is unlinked once', () => {
    given(added, linking, linked, opened).when(unlink).then(unlinked)
    given(added, linking, linked, opened, unlinked).when(unlink).thenNothing()
  })
  it('takes nothing from a line that was given up before it was linked anew', () => {
    const anew = [added, linking, linked, opened, disconnected, linking, linked, opened]
    given(...anew)
      .when(unlink)
      .thenNothing()
    given(...anew)
      .when(drop)
      .thenNothing()
    given(...anew)
      .when({ type: 'UnlinkNumber', data: { generation: 1 } })
      .then(unlinked)
  })

  it('is disconnected once', () => {
    given(added, linking, linked).when(disconnect).then(disconnected)
    given(added, linking, linked, disconnected).when(disconnect).thenNothing()
    given().when(disconnect).thenRejected('connection_not_found')
  })
  it('is removed once and is gone then', () => {
    given(added, linking).when(remove).then(removed)
    given(added, linking, removed).when(remove).thenNothing()
    given(added, linking, removed).when(startLinking).thenRejected('connection_not_found')
    given(added, linking, removed).when(disconnect).thenRejected('connection_not_found')
    given().when(remove).thenRejected('connection_not_found')
  })
})
