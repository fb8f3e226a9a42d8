import { z } from 'zod'
import { userId } from '../../values/ids.ts'
import { minimumPasswordLength } from '../../values/lengths.ts'
import { isObviousPassword, obviousPassword } from '../../values/text/obvious-password.ts'
import { visibleName } from '../../values/text/visible-name.ts'
import { endpoint } from '../endpoint.ts'
import { reason } from '../reason.ts'

/** Empty values stay unchanged. */
const name = z.string().transform(visibleName).pipe(z.string().max(80, 'Use no máximo 80 caracteres.')).optional()

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Este e-mail é longo demais.')
  .refine((address) => address === '' || z.email().safeParse(address).success, 'Informe um e-mail válido.')
  .optional()

const password = z
  .string()
  .max(128, 'A senha deve ter no máximo 128 caracteres.')
  .refine((text) => text === '' || text.length >= minimumPasswordLength, {
    error: 'A senha deve ter pelo menos 6 caracteres.',
    abort: true,
  })
  .refine((text) => text === '' || !isObviousPassword(text), { error: obviousPassword, abort: true })
  .optional()

const nothingElse = {
  error: ({ code }: { code?: string }) =>
    code === 'unrecognized_keys' ? 'Há campos que não podem ser alterados aqui.' : undefined,
}

const params = z.object({ id: userId })

export const updateProfileBody = z.strictObject(
  { firstName: name, lastName: name, email, password, reason: reason.optional() },
  nothingElse,
)

export const eraseUserBody = z.strictObject({ reason }, { error: nothingElse.error })

export const setAnalystBody = z.strictObject({ isAnalyst: z.boolean(), reason: reason.optional() }, nothingElse)

export const profileUpdated = z.object({ id: userId })
export const userErased = z.object({ id: userId })

export const userAdministrationEndpoints = {
  /** A password ends sessions and must be changed. */
  updateProfile: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/admin/users/:id/update-profile',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Corrige nome e e-mail de um usuário, ou define uma senha provisória.',
    params,
    body: updateProfileBody,
    replies: { 200: profileUpdated },
  }),
  /** An analyst reads the data of all tenants, pseudonymised, and sees nothing else. */
  setAnalyst: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/admin/users/:id/analyst',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Torna a conta analista, que só abre a página Dados, ou desfaz isso.',
    params,
    body: setAnalystBody,
    replies: { 200: profileUpdated },
  }),
  /** With contacts, connections and files. */
  eraseUser: endpoint({
    service: 'identity',
    method: 'DELETE',
    path: '/api/admin/users/:id',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Exclui a conta de um usuário e tudo o que é pessoal nela, para sempre.',
    params,
    body: eraseUserBody,
    replies: { 200: userErased },
  }),
}

export type UpdateProfileBody = z.infer<typeof updateProfileBody>
