import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { networksOf } from '@prosa/product/process/networks'
import { media } from './media/media-service.ts'
import { type SessionSettings, sessions } from './sessions.ts'

export const wireSessions = (
  { production, webSocketUrl, simulatorUrl }: Config,
  { simulatorUploads }: Pick<SessionSettings, 'simulatorUploads'> = {},
): Service[] => [
  // Simulated phones store their files on this machine.
  media({ loopback: !production && (simulatorUrl ?? webSocketUrl) !== undefined }),
  sessions({ networks: networksOf(webSocketUrl, simulatorUrl), production, simulatorUploads }),
]
