import { z } from 'zod'
import { mediaId } from '../values/ids.ts'
import { endpoint } from './endpoint.ts'

const mediaAccepted = z.object({ id: mediaId, mediaType: z.string(), bytes: z.number().int() })
const mediaRetried = z.object({ id: mediaId })

export const mediaEndpoints = {
  /** Raw `application/octet-stream`; the type is detected. */
  upload: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/media',
    area: 'Conversas',
    file: 'body',
    summary: 'Recebe um arquivo para ser enviado.',
    replies: { 201: mediaAccepted },
  }),
  /** Supports ranges. `download`: not shown but stored; empty, as the link names the file. A name is only in pages of releases before. */
  file: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/media/:id',
    area: 'Conversas',
    file: 'reply',
    summary: 'O arquivo de uma mensagem.',
    query: z.object({ download: z.string().max(1000).optional() }),
    replies: {},
  }),
  retry: endpoint({
    service: 'sessions',
    method: 'POST',
    path: '/api/whatsapp/media/:id/retry',
    area: 'Conversas',
    summary: 'Busca de novo um arquivo que não veio.',
    replies: { 202: mediaRetried },
  }),
}

export type MediaAccepted = z.infer<typeof mediaAccepted>
