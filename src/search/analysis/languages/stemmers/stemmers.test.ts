/** Words of several languages as the stemmers of Lucene 10.5 leave them. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../../analysis.ts'
import { TokenBuffer } from '../../token-buffer.ts'

const analysis = new Analysis()
const buffer = new TokenBuffer()

const tables: readonly (readonly [name: string, filter: string | Record<string, unknown>, words: string])[] =
  [
    [
      'arabic',
      { type: 'stemmer', language: 'arabic' },
      `
      الحسن>حسن والحسن>حسن بالحسن>حسن كالحسن>حسن فالحسن>حسن للاخر>اخر وحسن>حسن زوجها>زوج ساهدان>ساهد
      ساهدات>ساهد ساهدون>ساهد ساهدين>ساهد ساهديه>ساهد ساهدية>ساهد ساهده>ساهد ساهدة>ساهد ساهدي>ساهد
      وساهدون>ساهد ساهدهات>ساهد ال>ال ولا>ولا كتاب>كتاب والكتابين>كتاب وقت>وقت المدرسة>مدرس
    `,
    ],
    [
      'persian',
      { type: 'stemmer', language: 'persian' },
      `
      كتابها>كتاب كتابهاي>كتاب معلمان>معلم روشهاي>روش پرورش>پرورش قديميترين>قديم بزرگتر>بزرگ خوشبختي>خوشبخت
      زبانها>زبان ميها>مي تر>تر خانم>خانم اطلاعات>اطلاع دانشجويان>دانشجو هاي>ها خانه\u200cها>خانه
      دوست\u200c>دوست
    `,
    ],
    [
      'sorani',
      { type: 'stemmer', language: 'sorani' },
      `
      پیاوێک>پیاو دەرگایەک>دەرگا پیاوەکە>پیاو دەرگاکە>دەرگا کتابەکانی>کتابەک پیاوان>پیاو پیاوەکان>پیاو
      دەرگایان>دەرگا دەرگاکان>دەرگا دەرگایانی>دەرگا پیاوێکی>پیاو دەرگایەکی>دەرگا پیاوە>پیاو دەرگایە>دەرگا
      پیاوانە>پیاو دەرگایانە>دەرگا پیاوەدا>پیاو سەربازەکەمان>سەرباز بەڕێوەبردنەوە>بەڕێوەبردن هاوڕێیان>هاوڕێ
      ماڵ>ماڵ دانا>دانا شاخانا>شاخان کوردی>کورد
    `,
    ],
    [
      'hindi',
      { type: 'stemmer', language: 'hindi' },
      `
      लडका>लडक लडके>लडक लडकों>लडक गुरु>गुर गुरुओं>गुर दोस्त>दोस्त दोस्ती>दोस् कठिन>कठिन कठिनाइयाँ>कठिन
      किताब>किताब किताबें>किताब किताबों>किताब जाएंगी>जा आऊंगा>आऊंग करेंगे>कर चलाना>चल पढकर>पढ दुनिया>दुनिय
      राजनीति>राजनीत लडकियों>लडक की>की
    `,
    ],
    [
      'bengali',
      { type: 'stemmer', language: 'bengali' },
      `
      বাড়ি>বাড় করেছিলাম>কর গিয়াছিলাম>গিয়া মেয়েদেরকে>মেয় ছেলেরা>ছেল মানুষের>মানুষ বইগুলো>বই কথাটি>কথা
      বাংলাদেশে>বাংলাদেশ করিতেছিল>করিতেছিল খেলতেছে>খেল লোকদের>লোক করলাম>কর যাবেন>যা আমাকে>আমা দেশ>দেশ মা>মা
      বিদ্যালয়ের>বিদ্যালয়
    `,
    ],
    [
      'czech',
      { type: 'stemmer', language: 'czech' },
      `
      pán>pán páni>pán pánové>pán pána>pán pánů>pán pánem>pán hrad>hrad hradu>hrad hrade>hrad muž>muh muže>muh
      mužem>muh stroj>stroj soudce>soudk předseda>předsd předsedy>předsd žena>žn ženách>žn píseň>písň
      písně>písn kost>kost kostem>kost kuře>kuř kuřatech>kuř město>měst měst>měst moře>moř moři>moř
      stavení>stavn mladý>mlad mladého>mlad mladšími>mladš jarní>jarn Karlův>Karl karlova>karl česky>česk
      český>česk otčin>otčin psů>psů kůň>koň velmi>vl čtvrť>čtvrť myšce>myšk plšt>plsk ai>ai
    `,
    ],
    [
      'bulgarian',
      { type: 'stemmer', language: 'bulgarian' },
      `
      град>град градът>град градове>град градовете>град народ>народ народът>народ народа>народ
      гражданин>гражданин граждани>граждан гражданите>граждан вестник>вестник вестникът>вестник
      вестници>вестник жители>житял ценности>ценност бояджия>боядж боя>боя боята>боят герои>гер героят>гер
      песни>песн песен>песн плодове>плод сърцата>сърц зимата>зим глави>глав брегове>брег бреговете>брег
      стъклен>стъклн колене>колн езици>езиц подлози>подлог пораженията>поражени строеве>строй строевете>строй
      кожуси>кожух на>на дърво>дърв дървета>дърв птица>птиц
    `,
    ],
    [
      'latvian',
      { type: 'stemmer', language: 'latvian' },
      `
      tētis>tēt tēvs>tēv tēva>tēv tēvam>tēv brālis>brāl brāļa>brāl brālim>brāl brāļiem>brāl mājas>māj māja>māj
      māju>māj kalējs>kalēj upe>upe upju>up lācis>lāc lāči>lāc lācēns>lācēn vējš>vēj tirgus>tirg alus>alu
      mājām>māj lielajiem>liel lielākajai>lielāk zaļajās>zaļ skaistums>skaistum kokšu>kokst auksta>aukst
      krekļi>krekl zemņu>zemn akmeņu>akmen galvām>galv mīļie>mīļ ejam>ejam putni>putn roka>rok nakšu>nakst
      sals>sal kaķis>kaķ cūkas>cūk ņņi>ņņi zuši>zuš kaļļu>kall kuršu>kurš suņņu>sunn
    `,
    ],
    [
      'galician',
      { type: 'stemmer', language: 'galician' },
      `
      bonísimos>bon luns>lun furatapóns>furatap xamós>xam balões>bal mães>mãe capitães>capiton normais>norm
      tais>tail posíbeis>posibel escornabóis>escornab espanhóis>espanhol países>pais cadrís>cadril
      marselles>marsell mares>mar cáceres>cac luces>luz más>ma gases>gas barcelonés>barcelones casas>cas
      cansadísimo>cans homaço>homaç colher>coll amáveis>am correspondente>correspond corresponderá>correspond
      nación>nac nacións>nac felizmente>feliz mulleriña>mull cochazo>coch rapariga>raparig española>españ
      cantábamos>cant cantarían>cantari faríamos>far bebendo>beb ñandú>ñandu terra>terr
    `,
    ],
    [
      'minimal_galician',
      { type: 'stemmer', language: 'minimal_galician' },
      `
      bonos>bono bons>bon luns>lun máis>máil reais>real papéis>papel países>país mares>mare luces>luz
      gases>gas s>s és>és casa>casa escocês>escocês
    `,
    ],
    [
      'portuguese_rslp',
      { type: 'stemmer', language: 'portuguese_rslp' },
      `
      quilométricas>quilometr quilométricos>quilometr quilômetro>quilometr boataria>boat boatos>boat
      médicas>medic menores>men lápis>lapis amigão>amig amiguinhas>amig bebezinho>beb belíssimo>bel
      cantoras>can chinesa>chin copázio>cop cães>cao dinheirama>dinheiram felizmente>feliz falaríamos>fal
      comendo>com partiram>part governamental>governament existencial>exist pesquisadores>pesquis
      universidades>univers maçã>mac irmã>irm
    `,
    ],
    [
      'minimal_portuguese',
      { type: 'stemmer', language: 'minimal_portuguese' },
      `
      quilométricas>quilométrica bons>bom cães>cão balões>balão capitães>capitão normais>normal papéis>papel
      amáveis>amável lençóis>lençol barris>barril males>male mares>mare casas>casa lápis>lápis mais>mais
    `,
    ],
    [
      'indonesian',
      { type: 'stemmer', language: 'indonesian' },
      `
      bukukah>buku adalah>ada bukupun>buku bukuku>buku bukumu>buku bukunya>buku mengukur>ukur menyapu>sapu
      menduga>duga menuduh>uduh membaca>baca merusak>rusak pengukur>ukur penyapu>sapu penduga>duga
      pembaca>baca penari>tari diukur>ukur tersapu>sapu kekasih>kasih berlari>lari belajar>ajar bekerja>kerja
      perjelas>jelas pelajar>ajar pekerja>kerja tarikkan>tarik ambilkan>ambil makanan>makan janjian>janji
      ditandai>tanda pantai>panta mengajarkan>ajar pembelajaran>ajar keadaan>ada penykum>penykum penak>penak
      permainannya>main
    `,
    ],
    [
      'brazilian',
      { type: 'stemmer', language: 'brazilian' },
      `
      boa>boa boainain>boainain boas>boas bôas>boas boassu>boassu boataria>boat boate>boat boates>boat
      bobeira>bobeir bobinho>bobinh bolívares>boliv bombeiro>bombeir quilombo>quilomb quilométricas>quilometr
      quilômetros>quilometr computadores>comput filosofias>filosof analogias>analog analogia>analog
      primeira>primeir ação>aca ações>aco felizmente>feliz felicidade>felic constituciones>constitu
      existência>existente cantariam>cant falando>fal partiremos>part corremos>corr amigue>amig fácil>facil
      lampãava>lampaav 'casa'>cas abc1>abc1 ista>ist
    `,
    ],
    [
      'german_stem',
      'german_stem',
      `
      häufig>haufig abschließend>abschliess abschliessend>abschliess hoheit>hohei großen>gross größe>gross
      straßen>strass fernsehen>fernseh büchern>buch schauspielerin>schauspieleri
      schauspielerinnen>schauspieleri sängerin>sangeri schmutz>schmutx witz>witx gegessen>gess
      gegengesetz>gengesetx tisch>tisch tische>tisch Häuser>hau wasser>wass stehend>steh gehend>geh
      opusß>opusss Aßnd>ass spielen>spiel nicht>nich schneller>schnell bett>bett
    `,
    ],
    [
      'greek',
      { type: 'stemmer', language: 'greek' },
      `
      ανθρωποσ>ανθρωπ ανθρωπου>ανθρωπ ανθρωπων>ανθρωπ κορη>κορ κορησ>κορ χωρα>χωρ χωρεσ>χωρ μερα>μερ γατα>γατ
      φωσ>φωσ φωτοσ>φω φωτα>φω καθεστωσ>καθεστ καθεστωτοσ>καθεστ κρεασ>κρε κρεατων>κρε γεγονοτα>γεγον
      παππουδεσ>παππ γιαγιαδεσ>γιαγι καφεδων>καφ ομαδεσ>ομαδ πολεισ>πολ πολεωσ>πολ πολεων>πολ ιδεων>ιδε
      θεωνα>θεων παιδια>παιδ παιδιων>παιδ ελληνικα>ελλην μεταλλικων>μεταλλ φυσικα>φυσικ αγαπησαμε>αγαπ
      αγαμε>αγαμ τραβαμε>τραβ ποταμε>ποταμ κολλαμε>κολλ τρεχουσανε>τρεχ αμερικανε>αμερικ εκδικητε>εκδικητ
      αγαπουσετε>αγαπουσ βρισκετε>βρισκ μενετε>μεν τρεχοντασ>τρεχ αρχοντασ>αρχοντ κρεοντασ>κρεωντ
      ονομαστε>ονομαστ αγαπιομαστε>αγαπι απιεστε>απιεστ παρακαλεστε>παρακαλεστ αγαπηθηκα>αγαπ διαθηκεσ>διαθηκ
      μπορουσα>μπορ φαρμακουσα>φαρμακουσ αδηφαγα>αδηφαγ κροκαλοπαγεσ>κροκαλοπαγ ταγεσ>ταγ
      μεγαλονησου>μεγαλονησ μπορουνε>μπορ ευχρηστε>ευχρηστ χωρισουνε>χωρισ νουνε>νουν καθονται>καθ σωματα>σωμα
      σωματων>σωμα πεφτω>πεφτ μεγαλυτερη>μεγαλ ψηλοτατοσ>ψηλ ουντανε> γυναικα>γυναικ και>και
    `,
    ],
    [
      'spanish_plural',
      { type: 'stemmer', language: 'spanish_plural' },
      `
      casas>casa árboles>arbol ciudades>ciudad luces>luz peces>pez crisis>crisis lunes>lunes paraguas>paraguas
      clubes>club relojes>reloj convoyes>convoy leyes>ley bambúes>bambu reyes>rey parques>parque
      guantes>guante burgues>burgue toques>toque jerséis>jersey ponis>poni dandis>dandy meses>mes
      autobuses>autobus tenis>tenis robots>robot álbumes>album yoes>yo más>más actividades>actividad
      coches>coche camiones>camion tres>tre
    `,
    ],
    [
      'serbian',
      { type: 'stemmer', language: 'serbian' },
      `
      abecednoga>abecedn čovek>čovek čoveka>čovek ljudi>ljud gradovima>gradov градовима>gradov kućama>kuć
      kucama>kuc lepota>lepot лепотица>lepotic mleko>mlek mlijeko>mlek mljeko>mlek djak>đak ђак>đak
      slavljenjem>slavlen raditi>radi radili>radi učiteljica>učiteljic učiteljicama>učiteljic govorimo>govori
      crveni>crven prst>prst maca>mc ticima>tik centar>centr knjigama>knjig њима>njima джеп>džep
      књижевност>književn pevajući>pevajuć studentima>student
    `,
    ],
  ]

describe.each(tables)('the stemmer %s', (_name, filter, words) => {
  const analyzer = analysis.custom('keyword', [filter])
  it.each(
    words
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('>')),
  )('makes of %s %s', (word, stem) => {
    analyzer.analyze(word!, buffer)
    expect(buffer.terms.slice(0, buffer.length)).toEqual([stem])
  })
})
