/** Basic authentication (RFC 7617): the options that ask for it, and the header that they make. */
import { option, type Password } from '../../plugin/define.ts'

export const basicAuthOptions = {
  user: option.string({ doc: 'Name for basic authentication.' }),
  password: option.password({ doc: 'Password for basic authentication.' }),
}

export function basicAuthentication(user: string, password: string | Password | undefined): string {
  const secret = typeof password === 'string' ? password : (password?.value ?? '')
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}
