import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ofMoment } from '../past/moment.ts'

const longest = 200

const text = (missing: string) =>
  z.string({ error: missing }).trim().max(longest, `Use no máximo ${longest} caracteres.`)

const digitsIn = (phone: string) => phone.replace(/\D/g, '').length
const wrongPhone = 'Informe um telefone com DDD, por exemplo (11) 3333-4444.'
const wrongWebsite = 'Informe um endereço como www.padaria.com.br.'

/** Adds https:// to 'padaria.com.br'. */
const withScheme = (website: string) =>
  website === '' || /^[a-z][a-z\d+.-]*:/i.test(website) ? website : `https://${website}`

const isWebsite = (website: string) => {
  if (website === '') return true
  if (!URL.canParse(website)) return false
  const { protocol, hostname, username } = new URL(website)
  return (protocol === 'https:' || protocol === 'http:') && hostname.includes('.') && username === ''
}

/** All fields together; blank means unknown. */
export const describeCompanyBody = z.object({
  name: text('Informe o nome da empresa.').min(1, 'Informe o nome da empresa.'),
  email: z
    .string({ error: 'Informe um e-mail válido.' })
    .trim()
    .max(254, 'Este e-mail é longo demais.')
    .refine((email) => email === '' || z.email().safeParse(email).success, 'Informe um e-mail válido.'),
  phone: text(wrongPhone).refine(
    (phone) => phone === '' || (/^[\d\s()+.-]+$/.test(phone) && digitsIn(phone) >= 10 && digitsIn(phone) <= 13),
    wrongPhone,
  ),
  website: text(wrongWebsite).transform(withScheme).refine(isWebsite, wrongWebsite),
  address: text('Informe o endereço.'),
})

export const chooseForCompanyBody = z.object({
  notifications: z.boolean().optional(),
  analytics: z.boolean().optional(),
})

export const companyChoices = z.object({
  /** Default of browsers without a choice. */
  notifications: z.boolean(),
  analytics: z.boolean(),
})

export const company = z.object({
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  website: z.string(),
  address: z.string(),
  ...companyChoices.shape,
})

export const companyEndpoints = {
  read: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/company',
    area: 'Conta',
    summary: 'Os dados da empresa e suas preferências; com em, como eram.',
    query: ofMoment,
    replies: { 200: company },
  }),
  describe: endpoint({
    service: 'identity',
    method: 'PUT',
    path: '/api/company',
    area: 'Conta',
    summary: 'Guarda os dados da empresa.',
    body: describeCompanyBody,
    replies: { 200: company },
  }),
  choose: endpoint({
    service: 'identity',
    method: 'PATCH',
    path: '/api/company/choices',
    area: 'Conta',
    summary: 'Liga ou desliga as preferências da empresa.',
    body: chooseForCompanyBody,
    replies: { 200: company },
  }),
}

export const unknownCompany: Company = {
  name: '',
  email: '',
  phone: '',
  website: '',
  address: '',
  notifications: false,
  analytics: true,
}

export type Company = z.infer<typeof company>
