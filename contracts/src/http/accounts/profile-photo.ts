import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** `?size=64`: a small one. */
export const photoSaved = z.object({ profileImageUrl: z.string().nullable() })

/** Each photo has its own URL. */
export const photoAddress = (photoId: string): string => `/api/profile-photos/${photoId}`

export const profilePhotoEndpoints = {
  /** Raw `application/octet-stream`: JPG, PNG or GIF, at most 5 MB. */
  change: endpoint({
    service: 'identity',
    method: 'PUT',
    path: '/api/auth/photo',
    area: 'Conta',
    alsoForAnalysts: true,
    file: 'body',
    summary: 'Troca a foto da conta.',
    replies: { 200: photoSaved },
  }),
  remove: endpoint({
    service: 'identity',
    method: 'DELETE',
    path: '/api/auth/photo',
    area: 'Conta',
    alsoForAnalysts: true,
    summary: 'Remove a foto da conta.',
    replies: { 200: photoSaved },
  }),
  /** Square WebP, for user and administrators. */
  file: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/profile-photos/:id',
    area: 'Conta',
    alsoForAnalysts: true,
    file: 'reply',
    summary: 'A foto de uma conta.',
    query: z.object({ size: z.enum(['64', '256']).default('256') }),
    replies: {},
  }),
}
