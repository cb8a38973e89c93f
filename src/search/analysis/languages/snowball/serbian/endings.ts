/**
 * Endings of Serbian as the Snowball project has them: what takes their place, then the endings; a `?` for those that
 * only count in words without any Serbian letter, which writers without a Serbian keyboard leave out.
 */
export const step1 = `
  loga lozima lozi
  peh pesima pesi
  vojka vojci
  bojka bojci
  jak jacima jaci
  čajni čajan
  cajni? cajan
  erni eran
  larni laran
  esni esan
  anjca anjac
  ajca ajaca ajac
  ljca ljaca ljac
  ejca ejaca ejac
  ojca ojaca ojac
  ajka ajaka
  ojka ojaka
  šca šaca šac
  ing inzima inzi
  tvenik tvenici
  tetika teticima tetici
  nstva nstava
  nik nicima
  tik ticima
  zik zicima
  snik snici
  kusi kuse
  kusni kusan
  kustva kustava
  dušni dušan
  dusni? dusan
  antni antan
  bilni bilan
  tilni tilan
  avilni avilan
  silni silan
  gilni gilan
  rilni rilan
  nilni nilan
  alni alan
  ozni ozan
  ravi rave
  stavni stavan
  pravni pravan
  tivni tivan
  sivni sivan
  atni atan
  enta enat
  tetni tetan
  pletni pletan
  šavi šave
  savi? save
  anta anata
  ačka ačaka ačak
  acka? acaka acak
  uška ušak
  uska? usak
  atka ataka atcima atci atak
  etka etaka etak
  itka itaka itci itak
  otka otaka otak
  utka utaka utcima utci utak
  eskna eskan
  tični tičan
  ticni? tican
  ojska ojsci
  esma esama
  metra metara metar
  centra centara centar
  istra istara istar
  osti ošću
  osti? oscu
  dba daba
  čka čcima čci
  mca maca mac
  nca naca nac
  voljni voljan
  anki anaka
  vca vaca vac
  sca saca sac
  rca raca rac
  alca alaca aoca alac
  elca elaca elac
  olca olaca olac olce
  njca njaca njac
  ekta ekata ekat
  izma izama izam
  jebi jebe
  baci baci
  ašni ašan
  asni? asan`

export const step2 = `
  sk skijega skega skoga skija ska skijima skima skije ske skome skijeg skog skijih skih skiji ski skijoj skoj
  sk skijem skem skijim skim skom sko sku skijemu skemu skomu
  šk škijega škega škoga škija ška škijima škima škije ške škome škijeg škog škijih ških škiji ški škijoj škoj
  šk škijem škem škijim škim škom ško šku škijemu škemu škomu
  stv stvima stva stvom stvo stvu
  štv štvima štva štvom štvo štvu
  tanij tanija tanijama tanijima tanije taniji tanijom taniju
  manij manija manijama manijima manije maniji manijom maniju
  panij panija panijama panijima panije paniji panijom paniju
  ranij ranija ranijama ranijima ranije raniji ranijom raniju
  ganij ganija ganijama ganijima ganije ganiji ganijom ganiju
  an anega anima ana anina ane anine aneg ani anem anom aninom anin anemu anu aninu
  in inama inima ina ine ini inom ino inu
  on onima onovima ona onova one onove oni onovi onom onu
  n nijega nega noga nija nula nijima nima na nuta nije nule nome ne nete nite nuste nijeg neg nog nijih nih
  n niji nuli ni nuti nući nuvši nijoj noj nijem nem nijim nim nom nulo nemo nimo nusmo no nuto nuo nut niju
  n nijemu nemu nomu nu neš
  ać aćega aćoga aćima aća aćome aće aćeg aćog aćih aćuh aćoj aćem aćim aćom aćemu aćomu
  eć ećega ećoga ećima eća ećome eće ećeg ećog ećih ećuh ećoj ećem ećim ećom ećemu ećomu
  uć ućega ućoga ućima uća ućome uće ućeg ućog ućih ućuh ućoj ućem ućim ućom ućemu ućomu
  ugov ugovima ugova ugove ugovi
  ug uga ugama uge ugi ugom ugo ugu
  log loga logama loge logom logu
  g ga gama govima gova ge gove gi govi gom go gu
  rari rarija rarijem rario rariju
  oti otija otijem otio otiju
  si sija sijem sio siju
  li lija lijem lio liju
  uj uje ujete ujući ujem ujemo ujmo uju uješ
  caj caja cajama cajima cajevima cajeva caje cajeve caji cajevi cajem caju
  čaj čaja čajama čajima čajevima čajeva čaje čajeve čaji čajevi čajem čaju
  ćaj ćaja ćajama ćajima ćajevima ćajeva ćaje ćajeve ćaji ćajevi ćajem ćaju
  đaj đaja đajama đajima đajevima đajeva đaje đajeve đaji đajevi đajem đaju
  laj laja lajama lajima lajevima lajeva laje lajeve laji lajevi lajem laju
  raj raja rajama rajima rajevima rajeva raje rajeve raji rajevi rajem raju
  bij bija bijama bijima bije biji bijom bijo biju
  cij cija cijama cijima cije ciji cijom cijo ciju
  dij dija dijama dijima dije diji dijom dijo diju
  lij lijama lijima lije liji lijom lijo
  nij nijama nijom nijo
  mij mija mijama mijima mije miji mijom mijo miju
  žij žija žijama žijima žije žiji žijom žijo žiju
  gij gija gijama gijima gije giji gijom gijo giju
  fij fija fijama fijima fije fiji fijom fijo fiju
  pij pija pijama pijima pije piji pijom pijo piju
  rij rija rijama rijima rije riji rijom rijo riju
  sij sijama sijima sije siji sijom sijo
  tij tija tijama tijima tije tiji tijom tijo tiju
  zij zija zijama zijima zije ziji zijom zijo ziju
  nal nala nalama nalima nale nali nalom nalo nalu
  ijal ijala ijalama ijalima ijale ijali ijalom ijalo ijalu
  ozil ozila ozilima ozile ozili ozilom ozilu
  olov olovima olova olove olovi
  ol ola olima ole oli olom olu
  lem lemama lema lemima leme lemi lemom lemo lemu
  ram ramama rama rame rami ramom ramo ramu
  ar arama arima ara are ari arom aru
  dr drama drima dra dre dri drom dru
  er erama erima era ere eri erom eru
  or orama orima ora ore ori orom oru
  es esima esa ese esom esu
  is isima isa ise isom isu
  taš tašama tašima taša taše taši tašem tašom tašu
  naš našama našima naša naše naši našem našom našu
  jaš jašama jašima jaša jaše jaši jašem jašom jašu
  kaš kašama kašima kaša kaše kaši kašem kašom kašu
  baš bašama bašima baša baše baši bašem bašom bašu
  gaš gašama gašima gaša gaše gaši gašem gašom gašu
  vaš vašama vašima vaša vaše vaši vašem vašom vašu
  eš ešama ešima eša eše eši ešem ešom ešu
  iš išama išima iša iše iši išem išom išu
  ikat ikatima ikata ikate ikati ikatom ikato ikatu
  lat latima lata late lati latom lato latu
  et etama etima eta ete eti etući etavši etem etom etemo etimo eto etu eteš
  est estama estima esta este esti estom esto estu
  ist istama istima ista iste isti istom isto istu
  kst kstama kstima ksta kste ksti kstom ksto kstu
  ost ostama ostima osta oste osti ostom osto ostu
  išt ištima išta ište ištem ištu
  ova ovala ovale ovaste ovaše ovah ovali ovati ovao ovalo ovasmo ovat ovahu
  av avijega avega avoga avija avama avijima avima ava avije avome ave avijeg aveg avog avijih avih aviji avi
  av avijoj avoj avijem avem avijim avim avom avo aviju avijemu avemu avomu avu
  ev evijega evega evoga evija evama evijima evima eva evije evome eve evijeg eveg evog evijih evih eviji evi
  ev evijoj evoj evijem evem evijim evim evom evo eviju evijemu evemu evomu evu
  iv ivijega ivega ivoga ivija ivama ivijima ivima iva ivije ivome ive ivijeg iveg ivog ivijih ivih iviji ivi
  iv ivijoj ivoj ivijem ivem ivijim ivim ivom ivo iviju ivijemu ivemu ivomu ivu
  ov ovijega ovega ovoga ovija ovijima ovima ova ovije ovome ove ovijeg oveg ovog ovijih ovih oviji ovi ovijoj
  ov ovoj ovijem ovijim ovim ovom ovo oviju ovijemu ovemu ovomu ovu
  mov movima mova move movi movom movu
  lov lovima lova love lovi lovom lovu
  el elijega elega eloga elija ela elijima elima elije ele elome elijeg eleg elog elijih elih eliji eli elijoj
  el eloj elijem elem elijim elim elom elo eliju elu elijemu elemu elomu
  anj anjijega anjega anjoga anjija anja anjijima anjima anjije anje anjome anjijeg anjeg anjog anjijih anjih
  anj anjiji anji anjijoj anjoj anjijem anjem anjijim anjim anjom anjo anjiju anju anjijemu anjemu anjomu
  enj enjijega enjega enjoga enjija enja enjijima enjima enjije enje enjome enjijeg enjeg enjog enjijih enjih
  enj enjiji enji enjijoj enjoj enjijem enjem enjijim enjim enjom enjo enjiju enju enjijemu enjemu enjomu
  šnj šnjijega šnjega šnjoga šnjija šnja šnjijima šnjima šnjije šnje šnjome šnjijeg šnjeg šnjog šnjijih šnjih
  šnj šnjiji šnji šnjijoj šnjoj šnjijem šnjem šnjijim šnjim šnjom šnjo šnjiju šnju šnjijemu šnjemu šnjomu
  en enega eneg enem enemu
  šn šnega šneg šnem šnemu
  čin činoga činama činima čina činome čine činog činih čini činoj činim činom čino činomu činu
  roši rošila rošile rošite rošiste rošiše roših rošili rošiti rošivši rošim rošio rošilo rošimo rošismo rošit
  roši rošiš
  oš ošijega ošega ošoga ošija ošijima ošima oša ošije ošome oše ošijeg ošeg ošog ošijih oših ošiji oši ošijoj
  oš ošoj ošijem ošem ošijim ošim ošom ošiju ošijemu ošemu ošomu ošu
  evit evitijega evitega evitoga evitija evitijima evitima evita evitije evitome evite evitijeg evitog
  evit evitijih evitih evitiji eviti evitijoj evitoj evitijem evitem evitijim evitim evitom evito evitijemu
  evit evitemu evitomu evitu
  ovit ovitijega ovitega ovitoga ovitija ovitijima ovitima ovita ovitije ovitome ovite ovitijeg ovitog
  ovit ovitijih ovitih ovitiji oviti ovitijoj ovitoj ovitijem ovitem ovitijim ovitim ovitom ovito ovitijemu
  ovit ovitemu ovitomu ovitu
  ast astijega astega astoga astija astijima astima asta astije astome aste astijeg astog astijih astih astiji
  ast asti astijoj astoj astijem astem astijim astim astom asto astijemu astemu astomu astu
  k kijega kega koga kija ka kijima kima kije ke kome kijeg keg kog kijih kih kiji ki kijoj koj kijem kem
  k kijim kim kom ko kiju ku kijemu kemu komu kov
  eva evala evana evale evane evate evajte evaste evaše evah evali evani evati evajući evaj evam evan evao
  eva evalo evamo evajmo evasmo evano evat evahu evaju evav evaš
  ava avala avana avale avane avate avajte avaste avaše avah avali avani avati avajući avaj avam avan avao
  ava avalo avamo avajmo avasmo avano avat avahu avaju avav avaš
  iva ivala ivana ivale ivane ivate ivajte ivaste ivaše ivah ivali ivani ivati ivajući ivaj ivam ivan ivao
  iva ivalo ivamo ivajmo ivasmo ivano ivat ivahu ivaju ivav ivaš
  uva uvala uvana uvale uvane uvate uvajte uvaste uvaše uvah uvali uvani uvati uvajući uvaj uvam uvan uvao
  uva uvalo uvamo uvajmo uvasmo uvano uvat uvahu uvaju uvav uvaš
  ir irala iruje irale irate irujete irujte iraste iraše irah irali irati irajući irujući iravši iruj iral
  ir iram irujem iran irao iralo iramo irujemo irujmo irasmo irat irivat irahu iraju iruju iraš iruješ
  ač ačila ačena ačile ačene ačite ačiste ače ačiše ačih ačili ačeni ačiti ačeći ači ačim ačen ačio ačilo
  ač ačimo ačismo ačeno ačit ačiš
  ača ačala ačana ačale ačane ačate ačaste ačaše ačah ačali ačani ačati ačavši ačam ačan ačao ačalo ačamo
  ača ačasmo ačano ačat ačahu ačaju ačaš
  ni nila nile niste nili niti nivši nio nilo nismo niš
  a ala alama alima aje ale ate ajte aše ah ali ati ajući avši aj aloj al am ajem alom an ao alo amo ajmo asmo
  a ano at ahu aju alu aš
  ur urala urana urale urane urate urajte uraste uraše urah urali urani urati urajući uraj ural uram uran urao
  ur uralo uramo urajmo urasmo urano urat urahu uraju uraš
  astaj astajala astaje astajale astajete astajte astajaste astajaše astajah astajali astajati astajući
  astaj astajem astajao astajalo astajemo astajmo astajasmo astajat astajahu astaju astaješ
  istaj istajala istaje istajale istajete istajte istajaste istajaše istajah istajali istajati istajući
  istaj istajem istajao istajalo istajemo istajmo istajasmo istajat istajahu istaju istaješ
  ostaj ostajala ostaje ostajale ostajete ostajte ostajaste ostajaše ostajah ostajali ostajati ostajući
  ostaj ostajem ostajao ostajalo ostajemo ostajmo ostajasmo ostajat ostajahu ostaju ostaješ
  aj aja ajama ajima ajevima ajeva ajeve aji ajevi
  asta astala astanila astade astale astane astadete astanete astanite astadoste astadoše astadoh astali
  asta astati astavši astadem astanem astao astalo astademo astanemo astanimo astadosmo astat astadu astanu
  asta astadeš astaneš
  ista istala istanila istade istale istane istadete istanete istanite istadoste istadoše istadoh istali
  ista istati istavši istadem istanem istao istalo istademo istanemo istanimo istadosmo istat istadu istanu
  ista istadeš istaneš
  osta ostala ostanila ostade ostale ostane ostadete ostanete ostanite ostadoste ostadoše ostadoh ostali
  osta ostati ostavši ostadem ostanem ostao ostalo ostademo ostanemo ostanimo ostadosmo ostat ostadu ostanu
  osta ostadeš ostaneš
  ta tala tana tale tane tate tajte taste tah tali tani tati tavši taj tam tan tao talo tamo tajmo tasmo tano
  ta tat taju taš
  inj injala injale injete injaste injaše injah injali injati injem injao injalo injemo injasmo injat injahu
  inj inješ
  as asla asle astete astite asli astući aslo astemo astimo asteš
  i ila ilama ilima ije ile ijete ite ijte ih ili iti ieći ivši ij il ijem im ilom io ilo ijemo imo ijmo ismo
  i it iju ilu iješ iš
  luč lučila lučena lučuje lučile lučene lučujete lučite lučujte lučiste luče lučiše lučih lučili lučeni
  luč lučiti lučujući luči lučuj lučujem lučim lučen lučio lučilo lučujemo lučimo lučujmo lučismo lučeno lučit
  luč lučuju lučuješ lučiš
  jeti jetila jetile jetite jetiste jetiše jetih jetili jetiti jetim jetio jetilo jetimo jetismo jetit jetiš
  e elama el em emo eš
  at atijega atega atoga atija atijima atima ata atije atome atijeg ateg atog atijih atih atiji atoj atijem
  at atem atijim atim atom ato atiju atijemu atemu atomu atu
  luc? lucila lucena luce lucuje lucile lucene lucise lucujete lucite lucujte luciste lucih lucujuci luci
  luc? lucili luceni luciti lucuj lucujem lucim lucen lucio lucilo lucujemo lucimo lucujmo lucismo luceno
  luc? lucujes lucis lucit lucuju
  snj? snjijega snjega snjoga snjija snja snjijima snjima snjije snje snjome snjijeg snjeg snjog snjijih snjih
  snj? snjiji snji snjijoj snjoj snjem snjijim snjim snjom snjo snjiju snju snjijemu snjemu snjomu
  os? osijega osega osoga osija osijima osima osa osije osome ose osijeg oseg osog osijih osih osiji osi
  os? osijoj osoj snjijem osijem osem osijim osim osom osiju osijemu osemu osomu osu
  ac? aca acega acoga acila acima acena ace acile acome acene acise acite aciste aceg acog acih acuh aci aceci
  ac? acili aceni aciti acoj acem acim acom acen acio acilo acimo acismo aceno acis acit acemu acomu
  ec? eca ecega ecoga ecima ece ecome eceg ecog ecih ecuh ecoj ecem ecim ecom ecemu ecomu
  uc? uca ucega ucoga ucima uce ucome uceg ucog ucih ucuh ucoj ucem ucim ucom ucemu ucomu
  rosi? rosila rosile rosise rosite rosiste rosih rosili rosivsi rositi rosim rosio rosilo rosimo rosismo
  rosi? rosis rosit
  aca? acala acana acale acane acase acate acaste acah acali acani acavsi acati acam acan acao acalo acamo
  aca? acasmo acano acas acat acahu acaju
  jas? jasama jasima jasa jase jasi jasem jasom jasu
  tas? tasama tasima tasa tase tasi tasem tasom tasu
  gas? gasama gasima gasa gase gasi gasem gasom gasu
  nas? nasama nasima nasa nase nasi nasem nasom nasu
  kas? kasama kasima kasa kase kasi kasem kasom kasu
  vas? vasama vasima vasa vase vasi vasem vasom vasu
  bas? basama basima basa base basi basem basom basu
  as? astuci astes
  cin? cinoga cinama cinima cina cinome cine cinog cinih cini cinoj cinim cinom cino cinomu cinu
  astaj? astajase astajuci astajes
  istaj? istajase istajuci istajes
  ostaj? ostajase ostajuci ostajes
  asta? astadose astavsi astades astanes
  ista? istadose istavsi istades istanes
  osta? ostadose ostavsi ostades ostanes
  ava? avase avajuci avas
  eva? evase evajuci evas
  iva? ivase ivajuci ivas
  uva? uvase uvajuci uvas
  ova? ovase
  jeti? jetise jetis
  inj? injase injes
  ist? istem
  es? esama esi esem
  et? etuci etavsi etes
  is? isama isi isem
  ir? irase irajuci irujuci iravsi iras irujes
  ur? urase urajuci uras
  uj? ujuci ujes
  ni? nivsi nis
  sn? snega sneg snem snemu
  ta? tavsi tas
  a? ase ajuci avsi as
  i? ieci ivsi ijes is
  e? es
  n? nuci nuvsi nes`
