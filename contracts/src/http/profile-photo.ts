import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Where the picture is; null where the account has none. `?size=64` asks for a small one. */
export const photoSaved = z.object({ profileImageUrl: z.string().nullable() })

/** The address of a picture: another picture has another one. */
export const photoAddress = (photoId: string): string => `/api/profile-photos/${photoId}`

export const profilePhotoEndpoints = {
  /** The bytes as they are, `content-type: application/octet-stream`: JPG, PNG or GIF by its bytes, 5 MB at most. */
  change: endpoint({
    method: 'PUT',
    path: '/api/auth/photo',
    area: 'Conta',
    file: 'body',
    summary: 'Troca a foto da conta.',
    replies: { 200: photoSaved },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/auth/photo',
    area: 'Conta',
    summary: 'Remove a foto da conta.',
    replies: { 200: photoSaved },
  }),
  /** WebP, square; to the account itself and to administrators. */
  file: endpoint({
    method: 'GET',
    path: '/api/profile-photos/:id',
    area: 'Conta',
    file: 'reply',
    summary: 'A foto de uma conta.',
    query: z.object({ size: z.enum(['64', '256']).default('256') }),
    replies: {},
  }),
}
