/** Stems that Lucene 10.5 gives. */
import { describe, expect, it } from 'vitest'
import { armenian } from './armenian.ts'
import { basque } from './basque.ts'
import { catalan } from './catalan.ts'
import { irish } from './irish.ts'
import { lithuanian } from './lithuanian.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the Armenian stemmer', () => {
  it.each(
    pairs(`
      աբալովկայումդ>աբալովկայ անմաքրութիւն>անմաքրութիւ անշուքներ>անշու ապիկիդ>ապիկի
      բեխաբարներիս>բեխաբարներիս գթությունը>գթութ գտանքից>գտանքից ենթաշերտերիս>ենթաշերտերիս
      եռանդունին>եռանդուն զգայռումների>զգայռ թեշիներում>թեշիներ թերահաւատ>թերահաւ խեղդվել>խեղդ
      խորենացով>խոր խորվաթականից>խորվաթ ծեփամածիկը>ծեփամած կարագդ>կարագ կետչուպներով>կետչուպ
      կընկղմեք>կընկղմե կլառնետահար>կլառնետահ կկորեք>կկորե կհեծեծեիք>կհեծեծե կհնանանք>կհնան
      կոծոծներով>կոծոծ կոճկելիք>կոճկել կոշկաքուղումդ>կոշկաքուղ կփարվեմ>կփարվեմ հետեւեալ>հետեւե
      ճաներով>ճաներով մուշտակներին>մուշտ մուրուքներ>մուրու յանդիմանական>յանդիմ շառլատանը>շառլ ոչխարդ>ոչխ
      չհաճեցինք>չհաճ չհարբենայի>չհարբենայ չուռթեց>չուռթ չփայփայեր>չփայփայ ջրածիններ>ջրած
      սանձազերծում>սանձազերծ սառուցյալ>սառուցյ սխրանքներում>սխրանքներ սրճանոցներդ>սրճան վագրաձիով>վագրաձի
      վարգել>վարգ տուփերիդ>տուփերի քաբաբներիդ>քաբաբների քաղցրերը>քաղցրերը քրիստոնյային>քրիստոնյայ
      ֆագոտներ>ֆագոտ
    `),
  )('stems %s to %s', (word, stem) => {
    expect(armenian(word!)).toBe(stem)
  })
})

describe('the Basque stemmer', () => {
  it.each(
    pairs(`
      etxearekin>etxea minutuko>minutu jokatzen>jok mendietako>mendi atsedenik>atseden ahurka>ahur
      aitortza>ait alkazar>alka alotriognatu>alotriogn angelina>angeli ansorena>ansor areki>are
      arraiza>arrai artegagarri>arte artzubiaga>artzubia asaldu>asal autogoberna>autogober
      baconiarr>baconiarr barnabe>barnabe beraiz>berai bernizatzaile>berni berrengaia>berren
      berrizta>berri bustintza>bustin buzo>buzo enuntziatu>enuntzi eskorbuto>eskorbu ferra>fer
      fibrinogeno>fibri fotokonposizio>fotokonposi galduroz>gal giderrezta>giderr gisugintz>gisugin
      gohaindura>gohain goizik>goiz higropetriko>higropetri ilusi>ilusi indagora>indag
      inmoralkeria>inmoral interpola>interpo iran>iran izendape>izenda jarraibide>jarrai
      koleoptero>koleopt kontraesa>kontrae kurtzeta>kur liberaliza>liberali luban>lub magistratura>magis
      manexina>manexi memora>memora mugazaingo>muga nerabilkienan>nerabil orfiko>orfi oñatiar>oña
    `),
  )('stems %s to %s', (word, stem) => {
    expect(basque(word!)).toBe(stem)
  })
})

describe('the Catalan stemmer', () => {
  it.each(
    pairs(`
      col·legi>col.leg rapidíssimes>rapid d'home>d'hom química>quimic biologia>biolog
      administratius>administrat afegeixen>afeg agendes>agend ahir>ah aire>air alla>al anima>an
      antena>anten calor>cal cava>cav cent>cent citat>cit conjunts>conjunt connexió>connex corporal>corpor
      crea>crea croàcia>croac definit>defin dividir>divid economia>econom enterrat>enterr eres>er
      establerts>establert estarien>est etapa>etap excepte>except fita>fit gastronòmica>gastronomic
      incorporar>incorpor injecció>injec llana>llan límit>lim manuscrit>manuscr ment>ment moià>moia
      nelson>nelson perdre>per primavera>primav profunditat>profund psicològica>psicologic report>report
      representava>represent rigor>rig salari>sal tant>tant trolls>trol títols>tit vegeu>veg
      visualització>visual
    `),
  )('stems %s to %s', (word, stem) => {
    expect(catalan(word!)).toBe(stem)
  })
})

describe('the Irish stemmer', () => {
  it.each(
    pairs(`
      bhfear>fear d'fhear>fear mbád>bád gcapall>capall ndoras>doras ngeata>geata bpáiste>páiste
      tsráid>sráid dteach>teach n-athair>athair t-uisce>uisce h-aois>aois m'athair>athair
      siopadóireacht>siopadóir poblacht>poblacht grafaíochta>graf monarcacht>monarc aonsmaoinimh>aonsmaoin
      bhfarfadh>farf bhucainéir>bucainéir bpicilfimid>picilf bricínigh>bricínigh choisricigí>coisricigí
      chomhchoirí>comhchoirí chraiceáilte>craiceáilte chríochnaímid>críochn chuairín>cuairín cornadh>corn
      cóitseálfaidh>cóitseál dheargaidís>deargaidís dhiúscraíonn>diúscraíonn dhoshásta>doshásta
      dhraoibeal>draoibeal drong>drong dtoghairtear>toghair dtroidigí>troidigí fheadaidís>feadaidís
      fhilléadaímis>filléadaímis fhiontar>fion fhreaschuirfí>freaschuirfí fhuich>fuich
      fonnadóireacht>fonnadóir gannaítear>gannaí gcrúcálaithe>crúcálaithe gheafairí>geafairí
      ghortach>gortach gróige>gróige imchosnóimid>imchosnó loingseoidís>loingseoidís mbagróidís>bagróidís
      mbisítí>bisítí mhíntíriú>míntíriú mórfaidh>mór ndrochthuair>drochthuair nglantóir>glantóir
      phríomhshruth>príomhshruth pictiúrthachta>pictiúrth scanainn>scanainn shacálfá>sacálfá
      shampláiltí>sampláiltí shligrí>sligrí shlánchóirím>slánchóirím shraithchlár>sraithchlár
      shuibscríobhaí>suibscríobhaí slaiseáil>slaise sáimhreoimid>sáimhreo triallfar>triallfar
    `),
  )('stems %s to %s', (word, stem) => {
    expect(irish(word!)).toBe(stem)
  })
})

describe('the Lithuanian stemmer', () => {
  it.each(
    pairs(`
      lietuvaitės>lietuvait advokate>advokat aliejus>aliej vadinamasis>vadin gaidžiai>gaid didesnis>did
      arena>aren atvažiavo>atvažiav aukštesnis>aukšt ausys>aus bėga>bėg daugybės>daugyb emilija>emilij
      fiat>fiat golden>golden grupės>grup gyvi>gyv imperiją>imperij institucijos>institucij
      išbandymas>išbandym išlikęs>išlik katės>kat keliauja>keli kitko>kitk klausia>klaus kviečiu>kviet
      lauko>lauk medį>med miškų>mišk nežiūrint>nežiūr padėtų>pad pasitikėjimas>pasitikėjim periodu>period
      perėjo>per plius>plius post>post posto>post pozicija>pozicij publikacijos>publikacij
      reikalavo>reikalav ryšį>ryš senamiestis>senamiest skandinavijos>skandinavij srovės>srov
      stebuklą>stebukl system>system tarptautiniu>tarptautin teisingą>teis tomis>tom vertus>vert
      vienu>vien vėžys>vėž šiauliuose>šiaul šiuos>šiuos žaislų>žaisl
    `),
  )('stems %s to %s', (word, stem) => {
    expect(lithuanian(word!)).toBe(stem)
  })
})
