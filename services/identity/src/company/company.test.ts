import { describeCompanyBody } from '@prosa/contracts/http/accounts/company'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type CompanyEvent, company } from './company.ts'

const given = specify(company)
const bakery = {
  name: 'Padaria Sol',
  email: 'oi@padariasol.com.br',
  phone: '(11) 3333-4444',
  website: 'https://padariasol.com.br',
  address: 'Rua das Flores, 10, São Paulo',
}
const describeIt = (data = bakery) => ({ type: 'DescribeCompany', data }) as const
const described = (data = bakery): CompanyEvent => ({ type: 'CompanyDescribed', data })
const choose = (data: { notifications?: boolean; analytics?: boolean }) => ({ type: 'ChooseForCompany', data }) as const
const chosen = (notifications: boolean, analytics: boolean): CompanyEvent => ({
  type: 'CompanyChoicesMade',
  data: { notifications, analytics },
})

describe('a company', () => {
  it('is written down once, however often it is asked', () => {
    given().when(describeIt()).then(described())
    given(described()).when(describeIt()).thenNothing()
    given(described())
      .when(describeIt({ ...bakery, phone: '' }))
      .then(described({ ...bakery, phone: '' }))
  })
  it('chooses one thing and keeps the other', () => {
    given()
      .when(choose({ notifications: true }))
      .then(chosen(true, true))
    given(chosen(true, true))
      .when(choose({ analytics: false }))
      .then(chosen(true, false))
    given(chosen(true, false))
      .when(choose({ notifications: true, analytics: false }))
      .thenNothing()
    given(described()).when(choose({})).thenNothing()
  })
})

describe('what is written down about a company', () => {
  const faults = (body: object) =>
    describeCompanyBody.safeParse({ ...bakery, ...body }).error?.issues.map(({ path }) => path.join('.')) ?? []

  it.each([
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ email: 'padaria' }, 'email'],
    [{ phone: '3333-4444' }, 'phone'],
    [{ phone: 'ligue já 11 3333-4444' }, 'phone'],
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ website: 'padaria' }, 'website'],
    [{ website: 'https://ana:senha@padaria.com.br' }, 'website'],
    [{ address: 'x'.repeat(201) }, 'address'],
  ])('is refused at its field: %o', (wrong, field) => expect(faults(wrong)).toEqual([field]))

  it('may be its name alone, and its site as people write it', () => {
    expect(faults({ email: '', phone: '', website: '', address: '' })).toEqual([])
    expect(describeCompanyBody.parse({ ...bakery, website: 'padariasol.com.br' }).website).toBe(bakery.website)
  })
})
