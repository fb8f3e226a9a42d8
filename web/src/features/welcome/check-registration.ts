import { minimumPasswordLength } from '@prosa/contracts/values/lengths'

export const registrationFields = ['firstName', 'lastName', 'email', 'password', 'confirmPassword'] as const

type FieldName = (typeof registrationFields)[number]
export type Registration = Record<FieldName, string>
export type FieldErrors = Partial<Record<FieldName, string>>

const missing: Record<FieldName, string> = {
  firstName: 'Informe seu nome.',
  lastName: 'Informe seu sobrenome.',
  email: 'Informe seu e-mail.',
  password: 'Informe uma senha.',
  confirmPassword: 'Repita a senha.',
}

/** Specification, 5. The server validates again. */
export const checkRegistration = (form: Registration): FieldErrors => {
  const errors: FieldErrors = {}
  for (const field of registrationFields) if (form[field].trim() === '') errors[field] = missing[field]
  if (!errors.email && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(form.email.trim()))
    errors.email = 'Informe um e-mail válido.'
  if (!errors.password && form.password.length < minimumPasswordLength)
    errors.password = 'A senha deve ter pelo menos 6 caracteres.'
  if (!errors.confirmPassword && !errors.password && form.confirmPassword !== form.password)
    errors.confirmPassword = 'As senhas digitadas não são iguais.'
  return errors
}
