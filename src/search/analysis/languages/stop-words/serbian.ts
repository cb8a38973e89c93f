/** Stop words of Serbian as Lucene has them. */
export const serbian = `
  a ali bi bih bila bile bili bilo bio bise bismo biste biti biše bude budem budemo budes budete budeš
  budimo budite budu ce cemo ces cete cu i ili je jesam jesi jesmo jeste jesu mogu moze mozemo mozes
  mozete može možemo možete možeš ne nece necemo neces necete necu neće nećemo nećete nećeš neću nije
  nijesam nijesi nijesmo nijeste nijesu nisam nisi nismo niste nisu pa sam si smo ste su će ćemo ćete ćeš
  ću а али би била биле били било био бисе бисмо бисте бити бих бише буде будем будемо будес будете будеш
  будимо будите буду и или могу може можемо можете можеш мозе моземо мозес мозете не неце нецемо нецес
  нецете нецу неће нећемо нећете нећеш нећу нисам ниси нисмо нисте нису није нијесам нијеси нијесмо
  нијесте нијесу па сам си смо сте су це цемо цес цете цу је јесам јеси јесмо јесте јесу ће ћемо ћете ћеш
  ћу`
