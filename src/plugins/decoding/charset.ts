/**
 * The character encodings a codec's `charset` option may name (Ruby's list, as Logstash takes it) and how
 * their bytes become text. UTF-8 is left to the caller, who decodes whole chunks at once. windows-1252 and
 * ISO-8859-1 are decoded here, because TextDecoder of Node 20 mixes the two up.
 */
import { type CodecInstance, type Emit, option, type Timestamp } from '../../plugin/define.ts'

export const charsetNames = [
  ...['ASCII-8BIT', 'UTF-8', 'US-ASCII', 'Big5', 'Big5-HKSCS', 'Big5-UAO', 'CP949', 'Emacs-Mule', 'EUC-JP'],
  ...['EUC-KR', 'EUC-TW', 'GB2312', 'GB18030', 'GBK', 'ISO-8859-1', 'ISO-8859-2', 'ISO-8859-3', 'ISO-8859-4'],
  ...['ISO-8859-5', 'ISO-8859-6', 'ISO-8859-7', 'ISO-8859-8', 'ISO-8859-9', 'ISO-8859-10', 'ISO-8859-11'],
  ...[
    'ISO-8859-13',
    'ISO-8859-14',
    'ISO-8859-15',
    'ISO-8859-16',
    'KOI8-R',
    'KOI8-U',
    'Shift_JIS',
    'UTF-16BE',
  ],
  ...['UTF-16LE', 'UTF-32BE', 'UTF-32LE', 'Windows-31J', 'Windows-1250', 'Windows-1251', 'Windows-1252'],
  ...['IBM437', 'IBM737', 'IBM775', 'CP850', 'IBM852', 'CP852', 'IBM855', 'CP855', 'IBM857', 'IBM860'],
  ...['IBM861', 'IBM862', 'IBM863', 'IBM864', 'IBM865', 'IBM866', 'IBM869', 'Windows-1258', 'GB1988'],
  ...['macCentEuro', 'macCroatian', 'macCyrillic', 'macGreek', 'macIceland', 'macRoman', 'macRomania'],
  ...['macThai', 'macTurkish', 'macUkraine', 'CP950', 'CP951', 'IBM037', 'stateless-ISO-2022-JP'],
  ...['eucJP-ms', 'CP51932', 'EUC-JIS-2004', 'GB12345', 'ISO-2022-JP', 'ISO-2022-JP-2', 'CP50220', 'CP50221'],
  ...['Windows-1256', 'Windows-1253', 'Windows-1255', 'Windows-1254', 'TIS-620', 'Windows-874'],
  ...['Windows-1257', 'MacJapanese', 'UTF-7', 'UTF8-MAC', 'UTF-16', 'UTF-32', 'UTF8-DoCoMo', 'SJIS-DoCoMo'],
  ...['UTF8-KDDI', 'SJIS-KDDI', 'ISO-2022-JP-KDDI', 'stateless-ISO-2022-JP-KDDI', 'UTF8-SoftBank'],
  ...['SJIS-SoftBank', 'BINARY', 'CP437', 'CP737', 'CP775', 'IBM850', 'CP857', 'CP860', 'CP861', 'CP862'],
  ...['CP863', 'CP864', 'CP865', 'CP866', 'CP869', 'CP1258', 'Big5-HKSCS:2008', 'ebcdic-cp-us', 'eucJP'],
  ...['euc-jp-ms', 'EUC-JISX0213', 'eucKR', 'eucTW', 'EUC-CN', 'eucCN', 'CP936', 'ISO2022-JP', 'ISO2022-JP2'],
  ...['ISO8859-1', 'ISO8859-2', 'ISO8859-3', 'ISO8859-4', 'ISO8859-5', 'ISO8859-6', 'CP1256', 'ISO8859-7'],
  ...['CP1253', 'ISO8859-8', 'CP1255', 'ISO8859-9', 'CP1254', 'ISO8859-10', 'ISO8859-11', 'CP874'],
  ...['ISO8859-13', 'CP1257', 'ISO8859-14', 'ISO8859-15', 'ISO8859-16', 'CP878', 'MacJapan', 'ASCII'],
  ...[
    'ANSI_X3.4-1968',
    '646',
    'CP65000',
    'CP65001',
    'UTF-8-MAC',
    'UTF-8-HFS',
    'UCS-2BE',
    'UCS-4BE',
    'UCS-4LE',
  ],
  ...['CP932', 'csWindows31J', 'SJIS', 'PCK', 'CP1250', 'CP1251', 'CP1252', 'external', 'locale'],
] as const

const asUtf8 = /^(UTF-?8.*|CP65001|external|locale)$/
const asAscii = /^(ASCII-8BIT|BINARY|US-ASCII|ASCII|ANSI_X3\.4-1968|646)$/

/** The upper halves, bytes 0x80 to 0xff, of single-byte encodings TextDecoder does not know (or not rightly). */
const upperHalves: readonly (readonly [RegExp, string])[] = [
  [
    /^(CP|Windows-)1252$/,
    '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ' +
      '\xa0¡¢£¤¥¦§¨©ª«¬\xad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ',
  ],
  [
    /^(CP|IBM)437$/,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
      '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  ],
  [
    /^(CP|IBM)850$/,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
      '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  ],
  [
    /^(CP|IBM)852$/,
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
      '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\xad˝˛ˇ˘§÷¸°¨˙űŘř■\xa0',
  ],
]

/** Names TextDecoder knows under another label. */
const labels: readonly (readonly [RegExp, string])[] = [
  [/^(?:CP|Windows-)(125\d)$/, 'windows-$1'],
  [/^(?:CP874|Windows-874|TIS-620|ISO-?8859-11)$/, 'windows-874'],
  [/^ISO-?8859-(\d+)$/, 'iso-8859-$1'],
  [/^(?:IBM|CP)866$/, 'ibm866'],
  [/^(?:KOI8-R|CP878)$/, 'koi8-r'],
  [/^KOI8-U$/, 'koi8-u'],
  [/^macRoman$/, 'macintosh'],
  [/^mac(?:Cyrillic|Ukraine)$/, 'x-mac-cyrillic'],
  [/^(?:Shift_JIS|SJIS|SJIS-\w+|Windows-31J|csWindows31J|CP932|PCK)$/, 'shift_jis'],
  [/^(?:EUC-JP|eucJP|eucJP-ms|euc-jp-ms|CP51932)$/, 'euc-jp'],
  [/^(?:ISO-?2022-JP|CP5022[01])$/, 'iso-2022-jp'],
  [/^(?:EUC-KR|eucKR|CP949)$/, 'euc-kr'],
  [/^(?:GBK|CP936|GB2312|EUC-CN|eucCN)$/, 'gbk'],
  [/^GB18030$/, 'gb18030'],
  [/^(?:Big5|Big5-HKSCS|Big5-HKSCS:2008|CP950|CP951)$/, 'big5'],
  [/^(?:UTF-16BE|UCS-2BE|UTF-16)$/, 'utf-16be'],
  [/^UTF-16LE$/, 'utf-16le'],
]

/** How bytes of this encoding become text; undefined for UTF-8. */
export function bytesToText(charset: string): ((bytes: Uint8Array) => string) | undefined {
  if (asUtf8.test(charset)) return undefined
  if (asAscii.test(charset)) return singleByte('\ufffd'.repeat(128))
  if (/^ISO-?8859-1$/.test(charset)) return latin1
  for (const [names, upperHalf] of upperHalves) if (names.test(charset)) return singleByte(upperHalf)
  for (const [names, label] of labels) {
    if (!names.test(charset)) continue
    const decoder = textDecoder(charset.replace(names, label))
    if (decoder !== undefined) return (bytes) => decoder.decode(bytes)
  }
  throw new Error(`The charset ${charset} is not supported`)
}

function textDecoder(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label, { ignoreBOM: true })
  } catch {
    return undefined
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function singleByte(upperHalf: string): (bytes: Uint8Array) => string {
  return (bytes) => latin1(bytes).replace(/[\x80-\xff]/g, (high) => upperHalf[high.charCodeAt(0) - 0x80]!)
}

type Decode = (text: string, emit: Emit, time: Timestamp) => void

/** The decoding members of a codec that works on text. */
export function decodeText(
  charset: string,
  decode: Decode,
): Pick<CodecInstance, 'charset' | 'decode' | 'decodeBytes'> {
  const toText = bytesToText(charset)
  if (toText === undefined) return { decode }
  return { charset, decodeBytes: (bytes, emit, time) => decode(toText(bytes), emit, time) }
}

/** The option `charset` of codecs that read texts. */
export const charsetOption = option.oneOf(charsetNames, {
  default: 'UTF-8',
  doc:
    'Character encoding of the text that is read. A text that should be UTF-8 and is not shows its foreign bytes as ' +
    '`\\xE9`; what other encodings do not know becomes a replacement character.',
})
