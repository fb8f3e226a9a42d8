import { grpc } from './generated.ts'

export type AppendFault =
  | 'unanswered'
  | 'stored but unanswered'
  | 'stored but cancelled'
  | 'stored but unavailable'
  | 'stored but reset'
  | 'unavailable'
  | 'timed out on the server'
  | 'refused for its size'
  | 'access denied'

export type SubscriptionEnd =
  | 'consumer too slow'
  | 'server shut down'
  | 'stream reset'
  | 'cancelled'
  | 'without an error'

const codes = {
  cancelled: 1,
  unknown: 2,
  invalid: 3,
  aborted: 10,
  precondition: 9,
  internal: 13,
  unavailable: 14,
  denied: 7,
}
export type Failure = readonly [code: keyof typeof codes, details: string, trailers?: Readonly<Record<string, string>>]

export const appendFailures: Partial<Record<AppendFault, Failure>> = {
  'stored but cancelled': ['cancelled', 'Call canceled by the server'],
  'stored but unavailable': ['unavailable', 'read ECONNRESET'],
  'stored but reset': ['internal', 'Received RST_STREAM with code 0'],
  unavailable: ['unavailable', 'Server Is Not Ready'],
  'timed out on the server': ['aborted', 'Operation timed out'],
  'refused for its size': [
    'invalid',
    'Maximum Append Size Exceeded.',
    { exception: 'maximum-append-size-exceeded', 'maximum-append-size': '64' },
  ],
  'access denied': ['denied', 'Access Denied', { exception: 'access-denied' }],
}

export const subscriptionFailures: Partial<Record<SubscriptionEnd, Failure>> = {
  'consumer too slow': ['aborted', 'Consumer too slow to handle event while live. Client resubscription required.'],
  'server shut down': ['unavailable', 'Server is shutting down'],
  'stream reset': ['internal', 'Received RST_STREAM with code 0'],
  cancelled: ['cancelled', 'Call canceled by the server'],
}

export const streamDeleted = (stream: string): Failure => [
  'precondition',
  `Event stream '${stream}' is deleted.`,
  { exception: 'stream-deleted', 'stream-name': stream },
]
export const handlerException: Failure = ['unknown', 'Exception was thrown by handler.']

export const toStatus = ([code, details, trailers = {}]: Failure) => {
  const metadata = new grpc.Metadata()
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value)
  return Object.assign(new Error(details), { code: codes[code], details, metadata })
}
