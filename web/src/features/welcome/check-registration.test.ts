import { describe, expect, it } from 'vitest'
import { checkRegistration } from './check-registration.ts'

const filled = {
  firstName: 'Marina',
  lastName: 'Azevedo',
  email: 'marina@padaria.com.br',
  password: 'segredo1',
  confirmPassword: 'segredo1',
}

describe('a registration', () => {
  it('passes when every field is filled and the passwords are the same', () =>
    expect(checkRegistration(filled)).toEqual({}))

  it('names every field that is missing', () =>
    expect(
      Object.keys(checkRegistration({ firstName: ' ', lastName: '', email: '', password: '', confirmPassword: '' })),
    ).toEqual(['firstName', 'lastName', 'email', 'password', 'confirmPassword']))

  it('asks for at least six characters', () =>
    expect(checkRegistration({ ...filled, password: '12345', confirmPassword: '12345' })).toEqual({
      password: 'A senha deve ter pelo menos 6 caracteres.',
    }))

  it('asks for the same password twice', () =>
    expect(checkRegistration({ ...filled, confirmPassword: 'segredo2' })).toEqual({
      confirmPassword: 'As senhas digitadas não são iguais.',
    }))

  it('asks for an e-mail', () =>
    expect(checkRegistration({ ...filled, email: 'marina' })).toEqual({ email: 'Informe um e-mail válido.' }))
})
