/**
 * tld: the parts of a host name, by the public suffix list. The list is a file of the system or of the user;
 * none is built in, because it changes every week.
 */
import { readFile } from 'node:fs/promises'
import { defineFilter, option } from '../../plugin/define.ts'
import { SuffixList } from './tld/suffix-list.ts'

const systemLists = [
  '/usr/share/publicsuffix/public_suffix_list.dat',
  '/usr/share/publicsuffix/effective_tld_names.dat',
  '/usr/local/share/public_suffix_list/public_suffix_list.dat',
]

export default defineFilter({
  name: 'tld',
  oneToOne: true,
  summary: 'Splits host names into their parts.',
  description: [
    'Of `www.example.co.uk` it stores `tld` (`co.uk`), `sld` (`example`), `trd` (`www`), `domain`',
    '(`example.co.uk`) and `subdomain` (`www.example.co.uk`). A name without a known ending is left alone.',
    '',
    'Needs the public suffix list, which many systems have as the package `publicsuffix`; without it the last',
    'part of a name counts as its ending.',
  ].join('\n'),
  options: {
    source: option.string({ default: 'message', doc: 'The field with the host name.' }),
    target: option.string({ default: 'tld', doc: 'Field for the parts.' }),
    suffix_list: option.path({
      doc: 'The file `public_suffix_list.dat`; unless given, the one of the system.',
    }),
  },
  examples: [
    {
      title: 'A name',
      config: 'tld { source => "host" }',
      in: { host: 'www.example.com' },
      out: {
        host: 'www.example.com',
        tld: {
          tld: 'com',
          sld: 'example',
          trd: 'www',
          domain: 'example.com',
          subdomain: 'www.example.com',
          top_level_domain: 'com',
        },
      },
    },
  ],
  create({ options: { source, target, suffix_list }, compile, logger }) {
    const get = compile.get(source)
    const set = compile.set(target)
    let list = new SuffixList('')
    return {
      async register() {
        const text = suffix_list === undefined ? await systemList() : await readFile(suffix_list, 'utf8')
        if (text === undefined) {
          logger.warn('There is no public suffix list on this machine; the last part of a name is its ending')
        } else list = new SuffixList(text)
      },
      filter(event) {
        const name = get(event)
        if (typeof name !== 'string') return false
        const parts = list.parse(name.trim())
        if (parts === undefined) return false
        const { tld, sld, trd } = parts
        const domain = `${sld}.${tld}`
        set(event, {
          tld,
          sld,
          trd: trd ?? null,
          domain,
          subdomain: trd === undefined ? null : `${trd}.${domain}`,
          top_level_domain: tld,
        })
        return true
      },
    }
  },
})

async function systemList(): Promise<string | undefined> {
  for (const path of systemLists) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}
