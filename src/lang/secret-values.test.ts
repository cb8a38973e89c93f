import { describe, expect, it } from 'vitest'
import { secretValues } from './secret-values.ts'

describe('secrets in the text of a configuration', () => {
  it('are values of options named like one', () => {
    const text = `
      output { elasticsearch { user => "elastic" password => "pa ss" } }
      input { beats { ssl_key_passphrase=>'it is "so"' keystore_password => bare } }
      output { s3 { secret_access_key => "a\\"b" access_key_id => "AKIA" "api_key" => "id:key" cloud_auth => "u:x" } }
    `
    expect(secretValues(text)).toEqual([
      'pa ss',
      'it is "so"',
      'bare',
      'a\\"b',
      'a"b',
      'AKIA',
      'id:key',
      'u:x',
    ])
  })

  it('are passwords of URLs', () => {
    expect(secretValues('hosts => ["https://user:p4ss@h:9200/x", "http://h2/a:b@c"]')).toEqual(['p4ss'])
  })

  it('are not what only refers to them', () => {
    expect(secretValues('password => "${ES_PWD}" token => "%{[field]}" filter { mutate { } }')).toEqual([])
  })

  it('are found in time that grows with the text', () => {
    for (const text of ['token'.repeat(200_000), 'a'.repeat(1_000_000), 'password => "'.repeat(50_000)]) {
      expect(secretValues(text).length).toBeLessThanOrEqual(1000)
    }
  })
})
