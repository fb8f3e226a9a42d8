import { paths } from '../paths.ts'

const parameters = { subject: 'assunto', message: 'mensagem' } as const

export type SupportText = Record<keyof typeof parameters, string>

/** The form of the help page, filled in. */
export const supportAbout = ({ subject, message }: SupportText): string =>
  `${paths.help}?${new URLSearchParams({ [parameters.subject]: subject, [parameters.message]: message })}`

export const withoutSupportText = (address: URLSearchParams): URLSearchParams => {
  const others = new URLSearchParams(address)
  for (const name of Object.values(parameters)) others.delete(name)
  return others
}

/** Null where the address fills in nothing. */
export const supportTextIn = (address: URLSearchParams): SupportText | null => {
  const [subject, message] = [address.get(parameters.subject), address.get(parameters.message)]
  return subject === null && message === null ? null : { subject: subject ?? '', message: message ?? '' }
}
