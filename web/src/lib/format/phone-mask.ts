export const maximumPhoneDigits = 11

/** Area code 55 as `maskPhone` writes it: subscriber numbers begin with 2 to 5 or 9. */
const maskedArea55 = /^\(55\) [2-59]/

export const phoneDigits = (typed: string): string => {
  const digits = typed.replace(/\D/g, '')
  const hasCountryCode = /^55\d{10,11}$/.test(digits) && !maskedArea55.test(typed)
  const national = hasCountryCode ? digits.slice(2) : digits
  return national.slice(0, maximumPhoneDigits)
}

/** '11988776655' → '(11) 98877-6655'; also partial input. */
export const maskPhone = (digits: string): string => {
  if (digits.length <= 2) return digits
  const area = digits.slice(0, 2)
  const rest = digits.slice(2)
  const split = digits.length > 10 ? 5 : 4
  return rest.length <= split ? `(${area}) ${rest}` : `(${area}) ${rest.slice(0, split)}-${rest.slice(split)}`
}

/** Specification, 5: 10 or 11 digits. */
export const isPhoneComplete = (digits: string): boolean => digits.length === 10 || digits.length === maximumPhoneDigits
