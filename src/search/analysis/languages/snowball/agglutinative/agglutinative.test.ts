/** Stems that Lucene 10.5 gives. */
import { describe, expect, it } from 'vitest'
import { estonian } from './estonian.ts'
import { turkish } from './turkish.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the Estonian stemmer', () => {
  it.each(
    pairs(`
      jooma>joo lähemegi>lähe kookki>kook bioloogi>bioloogi teadlastele>teadlase saadi>saa mõttele>mõtt
      rahulikkude>rahuliku raamatut>raama autosid>auto ministrite>ministri aelenud>aele
      ambitsioossust>ambitsioossu eellood>eelloo haugakemgi>haugake hinnus>hin hõbelenu>hõbele
      hõiklemise>hõiklemise joosteski>joos jumalatest>jumala jutulisega>jutulise kaalumatult>kaaluma
      kraanadeks>kraana kräunutavuseid>kräunutavuse kuuelisusi>kuuelisusi kõluga>kõlu
      lahtistuste>lahtistus lepikurajal>lepikuraja mesoneiga>mesone muugitavusega>muugitavuse
      mähkamisega>mähkamise näidatakse>näida pihtsusiga>pihtsusi pleed>pleed pojalike>pojaliku
      psüühika>psüühika rapete>rape ribijaga>ribija rõksata>rõksa soliidsussegi>soliidsu
      sõnnikususega>sõnnikususe sõnumatutes>sõnuma taustalisiga>taustalisi taustalisusiga>taustalisusi
      tribunali>tribunali truudustki>truudu trükisõnast>trükisõna tänudeski>tänu uinutustegagi>uinutus
      uinuvainigi>uinuvaini ujutusiga>ujutusi vahelikega>vaheliku varuteavet>varuteave
      veiderdusega>veiderduse visadusinigi>visadusini viunutuimaiski>viunu viunututeks>viunu
      volilisusiga>volilisusi välissõelluuks>välissõelluu võimelisega>võimelise üheperetunne>üheperetunne
    `),
  )('stems %s to %s', (word, stem) => {
    expect(estonian(word!)).toBe(stem)
  })
})

describe('the Turkish stemmer', () => {
  it.each(
    pairs(`
      evdekilerdenmiş>ev evlerindekiler>evlerindeki doktoruymuşsunuz>doktor kitaplarımızdan>kitap
      arabanınki>araba ad>ad soyad>soyad kedim>kedi çocuğa>çocuk masanındaki>masan
      gidiyormuşçasına>gidiyormuşça akılsızcasına>akılsızca akla>ak alanın>ala almış>al amca>am anda>an
      açtı>aç bakmaya>bakma bende>be biten>bi camii>camii deniz>de depo>depo derdin>der dilini>dil
      dostum>dos elde>el etmemek>etmemek filistin>filis gözün>göz halife>halif hareketlerini>hareket
      hayatta>hayat haydar>haydar hazırlar>hazır inde>in ingiltere>ingilter istediğimi>istedik kadim>kadı
      kana>ka kapatıldı>kapatıl kasa>kas kayıp>kayıp konular>konu kıyasla>kıyas leri> musunuz>mu
      oranını>oran parker>parker sanatı>sanat servisi>servis silahlar>silah sütü>süt tosun>to tutan>tu
      tutum>tut yana>ya yapmadan>yapma yazarlar>yazar
    `),
  )('stems %s to %s', (word, stem) => {
    expect(turkish(word!)).toBe(stem)
  })
})
