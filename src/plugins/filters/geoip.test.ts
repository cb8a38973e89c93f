import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Reader } from 'maxmind'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { filterFor, runFilter, testEvent } from '../../plugin/testing.ts'
import { addressText } from '../values/ip-address.ts'
import { double, testDatabase } from './geoip/test-database.ts'
import geoip from './geoip.ts'

const folder = mkdtempSync(join(tmpdir(), 'geoip-'))
afterAll(() => rmSync(folder, { recursive: true }))

function database(type: string, networks: Record<string, unknown>): string {
  const path = join(folder, `${type}.mmdb`)
  writeFileSync(path, testDatabase(type, networks))
  return path
}

const names = (en: string) => ({ names: { en, de: 'x' } })
const sanFrancisco = {
  city: names('San Francisco'),
  continent: { code: 'NA', ...names('North America') },
  country: { iso_code: 'US', ...names('United States') },
  postal: { code: '94107' },
  subdivisions: [
    { iso_code: 'W', ...names('West') },
    { iso_code: 'CA', ...names('California') },
  ],
  location: {
    latitude: double(37),
    longitude: double(-122.4),
    metro_code: 807,
    time_zone: 'America/Los_Angeles',
  },
}
const city = database('GeoLite2-City', {
  '1.2.3.0/24': sanFrancisco,
  '1.2.4.0/24': { country: { iso_code: 'XX' } },
  '2001:db8:0:0:0:0:0:0/32': sanFrancisco,
})
const asn = database('GeoLite2-ASN', {
  '9.0.0.0/8': { autonomous_system_number: 64500, autonomous_system_organization: 'Example' },
})

const legacy = {
  ip: '1.2.3.4',
  city_name: 'San Francisco',
  continent_code: 'NA',
  country_name: 'United States',
  country_code2: 'US',
  country_code3: 'US',
  postal_code: '94107',
  dma_code: 807,
  region_name: 'California',
  region_code: 'CA',
  timezone: 'America/Los_Angeles',
  location: { lat: new LsFloat(37), lon: -122.4 },
  latitude: new LsFloat(37),
  longitude: -122.4,
}

describe('geoip', () => {
  it('sets the legacy fields of a city', async () => {
    const options = { source: 'a', database: city, add_tag: ['ok'] }
    expect(await runFilter(geoip, options, [{ a: '1.2.3.4' }, { a: ['1.2.3.4', 'x'] }])).toEqual([
      { a: '1.2.3.4', geoip: legacy, tags: ['ok'] },
      { a: ['1.2.3.4', 'x'], geoip: legacy, tags: ['ok'] },
    ])
  })

  it('gives addresses of one network maps of their own', async () => {
    const filter = filterFor(geoip, { source: 'a', database: city })
    await filter.instance.register?.()
    const events = ['1.2.3.4', '1.2.3.5', '2001:db8::1', '1.2.3.4'].map((a) => testEvent({ a }))
    for (const event of events) {
      await filter.filter([event])
      event.set('[geoip][location][lat]', event.get('a')!)
      event.set('[geoip][city_name]', 'changed')
    }
    const last = testEvent({ a: '1.2.3.5' })
    await filter.filter([last])
    expect(last.get('geoip')).toEqual({ ...legacy, ip: '1.2.3.5' })
    expect(events.map((event) => event.get('[geoip][ip]'))).toEqual([
      '1.2.3.4',
      '1.2.3.5',
      '2001:db8:0:0:0:0:0:1',
      '1.2.3.4',
    ])
    expect(events.map((event) => event.get('[geoip][location][lat]'))).toEqual(
      events.map((event) => event.get('a')!),
    )
  })

  it('adds to a target that is there, and replaces its fields', async () => {
    const options = { source: 'a', database: city, fields: ['location', 'network', 'ip'] }
    const given = { a: '1.2.3.4', geoip: { ip: 'old', note: 'kept' } }
    expect(await runFilter(geoip, options, [given, { a: '1.2.3.5', geoip: null }])).toEqual([
      {
        a: '1.2.3.4',
        geoip: { ip: '1.2.3.4', note: 'kept', location: legacy.location, network: '1.2.3.0/24' },
      },
      { a: '1.2.3.5', geoip: { location: legacy.location, network: '1.2.3.0/24', ip: '1.2.3.5' } },
    ])
  })

  it('sets the fields of the schema beside the source', async () => {
    const options = { source: '[client][ip]', database: city }
    expect(await runFilter(geoip, options, [{ client: { ip: '1.2.3.4' } }], { ecs: 'v8' })).toEqual([
      {
        client: {
          ip: '1.2.3.4',
          geo: {
            city_name: 'San Francisco',
            continent_code: 'NA',
            country_name: 'United States',
            country_iso_code: 'US',
            postal_code: '94107',
            region_name: 'California',
            region_iso_code: 'US-CA',
            timezone: 'America/Los_Angeles',
            location: { lat: new LsFloat(37), lon: -122.4 },
          },
          mmdb: { dma_code: 807 },
        },
      },
    ])
  })

  it('needs a target in the schema when the source says none', () => {
    expect(() => filterFor(geoip, { source: 'ip', database: city }, { ecs: 'v8' })).toThrow(
      'requires a `target` when `source` is not an `ip` sub-field',
    )
    expect(() => filterFor(geoip, { source: 'ip', target: 't', database: city }, { ecs: 'v8' })).not.toThrow()
  })

  it('sets the fields that are asked for', async () => {
    const options = {
      source: 'a',
      target: '[x][y]',
      database: city,
      fields: ['CONTINENT_NAME', 'network', 'ip'],
    }
    expect(await runFilter(geoip, options, [{ a: '2001:db8::1' }, { a: '1.2.3.4' }])).toEqual([
      {
        a: '2001:db8::1',
        x: {
          y: {
            continent_name: 'North America',
            network: '2001:db8:0:0:0:0:0:0/32',
            ip: '2001:db8:0:0:0:0:0:1',
          },
        },
      },
      { a: '1.2.3.4', x: { y: { continent_name: 'North America', network: '1.2.3.0/24', ip: '1.2.3.4' } } },
    ])
    expect(() => filterFor(geoip, { source: 'a', database: city, fields: ['nonsense'] })).toThrow(
      'illegal field value nonsense. valid values are [',
    )
  })

  it('leaves an empty map for what it does not find', async () => {
    const options = { source: 'a', database: city, add_tag: ['ok'] }
    const tags = ['_geoip_lookup_failure']
    expect(
      await runFilter(geoip, options, [
        { a: '9.9.9.9' },
        { a: 'not an address' },
        { a: '1.2.4.1' },
        { a: '9.9.9.9', geoip: { x: 1 } },
        { a: '' },
        { a: null },
        { b: 1 },
        { a: 5 },
      ]),
    ).toEqual([
      { a: '9.9.9.9', geoip: {}, tags },
      { a: 'not an address', geoip: {}, tags },
      { a: '1.2.4.1', geoip: {}, tags },
      { a: '9.9.9.9', geoip: { x: 1 }, tags },
      { a: '', tags },
      { a: null, tags },
      { b: 1, tags },
      { a: 5, tags },
    ])
  })

  it('knows the old name of source', async () => {
    const options = { field: 'a', database: asn }
    expect(await runFilter(geoip, options, [{ a: '9.1.1.1' }])).toMatchObject([{ geoip: { asn: 64500 } }])
  })

  it('tags failures as told', async () => {
    const options = { source: 'a', database: city, tag_on_failure: ['one', 'two'] }
    expect(await runFilter(geoip, options, [{ a: '9.9.9.9' }, {}])).toEqual([
      { a: '9.9.9.9', geoip: {}, tags: ['one', 'two'] },
      { tags: ['one', 'two'] },
    ])
    const silent = { ...options, tag_on_failure: [] }
    expect(await runFilter(geoip, silent, [{}])).toEqual([{}])
  })

  it('looks an address up again once it is forgotten', async () => {
    const lookedUp = vi.spyOn(Reader.prototype, 'getWithPrefixLength')
    const countFor = async (cache_size: number) => {
      lookedUp.mockClear()
      const events = ['1.2.3.4', '1.2.3.5', '1.2.3.4', '1.2.3.4'].map((a) => ({ a }))
      const result = await runFilter(geoip, { source: 'a', database: city, cache_size }, events)
      expect(result.every(({ tags }) => tags === undefined)).toBe(true)
      return lookedUp.mock.calls.length
    }
    expect([await countFor(1), await countFor(2)]).toEqual([3, 2])
    lookedUp.mockRestore()
  })

  it('reads who owns an address', async () => {
    const options = { source: '[a][ip]', database: asn }
    expect(await runFilter(geoip, options, [{ a: { ip: '9.1.1.1' } }])).toEqual([
      { a: { ip: '9.1.1.1' }, geoip: { ip: '9.1.1.1', asn: 64500, as_org: 'Example' } },
    ])
    expect(await runFilter(geoip, options, [{ a: { ip: '9.1.1.1' } }], { ecs: 'v8' })).toEqual([
      { a: { ip: '9.1.1.1', as: { number: 64500, organization: { name: 'Example' } } } },
    ])
  })

  it.each<[string, unknown, object, object]>([
    [
      'GeoLite2-Country',
      sanFrancisco,
      {
        ip: '1.2.3.4',
        country_code2: 'US',
        country_name: 'United States',
        continent_name: 'North America',
      },
      {
        ip: '1.2.3.4',
        geo: { country_iso_code: 'US', country_name: 'United States', continent_name: 'North America' },
      },
    ],
    [
      'GeoIP2-ISP',
      {
        autonomous_system_number: 64500,
        autonomous_system_organization: 'Example',
        isp: 'Provider',
        organization: 'Holder',
      },
      { ip: '1.2.3.4', asn: 64500, as_org: 'Example', isp: 'Provider', organization: 'Holder' },
      {
        ip: '1.2.3.4',
        as: { number: 64500, organization: { name: 'Example' } },
        mmdb: { isp: 'Provider', organization: 'Holder' },
      },
    ],
    ['GeoIP2-Domain', { domain: 'example.org' }, { domain: 'example.org' }, { domain: 'example.org' }],
  ])('knows the fields of %s', async (type, record, old, ecs) => {
    const options = { source: 'a', target: 't', database: database(type, { '1.2.3.0/24': record }) }
    expect(await runFilter(geoip, options, [{ a: '1.2.3.4' }])).toEqual([{ a: '1.2.3.4', t: old }])
    expect(await runFilter(geoip, options, [{ a: '1.2.3.4' }], { ecs: 'v8' })).toEqual([
      { a: '1.2.3.4', t: ecs },
    ])
  })

  it('reads flags of anonymous addresses', async () => {
    const path = database('GeoIP2-Anonymous-IP', {
      '1.0.0.0/8': { is_anonymous: true, is_anonymous_vpn: true },
    })
    const [fields] = await runFilter(geoip, { source: 'a', database: path }, [{ a: '1.1.1.1' }])
    expect(fields?.['geoip']).toEqual({
      hosting_provider: false,
      tor_exit_node: false,
      anonymous_vpn: true,
      anonymous: true,
      public_proxy: false,
      residential_proxy: false,
    })
  })

  it('remembers, and gives each event its own location', async () => {
    const { instance, filter } = filterFor(geoip, { source: 'a', database: city })
    await instance.register?.()
    const [first, second] = await filter([testEvent({ a: '1.2.3.4' }), testEvent({ a: '1.2.3.4' })])
    first!.set('[geoip][location][lat]', 'changed')
    expect(second!.get('[geoip][location][lat]')).toEqual(new LsFloat(37))
    await instance.close?.()
  })

  it('finds the database of the type below path.data', async () => {
    const data = join(folder, 'data')
    const place = join(data, 'geoip_database_management', '1700000000')
    mkdirSync(place, { recursive: true })
    copyFileSync(city, join(place, 'GeoLite2-City.mmdb'))
    copyFileSync(asn, join(place, 'GeoLite2-ASN.mmdb'))
    const settings = { settings: { 'path.data': data } }
    const event = { a: '9.1.1.1' }
    const owner = { ...event, geoip: { ip: '9.1.1.1', asn: 64500, as_org: 'Example' } }
    const options = { source: 'a', default_database_type: 'ASN' }
    expect(await runFilter(geoip, options, [event], settings)).toEqual([owner])
    expect(await runFilter(geoip, { source: 'a' }, [event], settings)).toEqual([
      { ...event, geoip: {}, tags: ['_geoip_lookup_failure'] },
    ])
  })

  it('tags events where there is no database', async () => {
    const { instance, filter } = filterFor(
      geoip,
      { source: 'a', default_database_type: 'ASN' },
      { settings: { 'path.data': folder } },
    )
    const [event] = await filter([testEvent({ a: '1.2.3.4' })])
    expect(event!.get('tags')).toEqual(['_geoip_expired_database'])
    expect(event!.get('geoip')).toBeUndefined()
    await instance.close?.()
  })

  it('refuses the old format and unknown kinds', async () => {
    const dat = join(folder, 'GeoLiteCity.dat')
    writeFileSync(dat, '')
    expect(() => filterFor(geoip, { source: 'a', database: dat })).toThrow('.mmdb')
    const { instance } = filterFor(geoip, { source: 'a', database: database('Strange', { '1.0.0.0/8': {} }) })
    await expect(instance.register?.()).rejects.toThrow('Unsupported database type Strange')
  })
})

describe('an address', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    [' 1.2.3.4 ', '1.2.3.4'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['2001:DB8::A', '2001:db8:0:0:0:0:0:a'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['[fe80::1%eth0]', 'fe80:0:0:0:0:0:0:1'],
    ['example.org', undefined],
    ['1.2.3', undefined],
    ['1.2.3.256', undefined],
  ])('%j', (text, expected) => {
    expect(addressText(text)).toBe(expected)
  })
})
