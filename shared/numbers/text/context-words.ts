/**
 * The words around numbers, without accents: English, Portuguese, Spanish, German and French, and the most common ones
 * of a dozen other languages.
 */
import { Lexicon } from './lexicon.ts';

export type WordKind =
  | 'phone'
  /** A word for telephones that are mobile. */
  | 'mobile'
  /**
   * A word for a contact, a call or an office, which are also counted and numbered. Bare digits next to it must fit a
   * numbering plan.
   */
  | 'contact'
  | 'otherThing'
  | 'not'
  /** May come between a word and its number: "number", "is", "do". */
  | 'between'
  /** Names a numbered thing by its ending: `Dossiernummer`. */
  | 'label'
  /** Orders, bookings, parcels: they have ids, and their departments have telephones. */
  | 'orders'
  /**
   * A word for a client. Alone, it is evidence against bare digits, but not against digits in the shape of a number.
   */
  | 'person'
  /** Says whose number it is, or which one: "Wife", "Main". It is never the label of another thing. */
  | 'whose'
  /** A title or a given name: the word behind it is a surname. */
  | 'name';

/** Kinds of the words before a number. */
export const contextLexicon = new Lexicon<WordKind>(
  [
    'phone',
    'tel tele tels telf tlf telef* teleph* telem* teln* phon* ph fon fone* fono* fax* faks* ' +
      'mobi* mov movil* movel moveis handy* ramal ' +
      'ramais zap* ligu* ligar* ligac* ligo llam* marque marcar disq* dial* ring ' +
      'ringe* joign* joindre ruf rufe rufen ruft rufn* ruckruf* rueckruf* erreich* reachab* durchwahl natel ' +
      'hotline* mailbox messagerie buzon sms gsm landline ext extension* anexo interno poste portable* ' +
      'fixo fixa fijo fija fixe fisso sabit ' +
      'festnetz* recado* recapit* freephone gratis kostenlos vert verde bel bellen belt bereik* doorkies* ' +
      'chiam* richiam* voicem* switchb* pager* txt tlm* tlf* tfno msisdn ddi notruf centralit* centralin* conmut* ' +
      'wahle wahlen buro* bureau* ' +
      'buero* privat* dienstl* sekret* secret* komork* kom dzwo* zadzwo* infolin* puh* soita* volej* zavol* ' +
      'dahili sunati ani dnis caller callee تلفن* тел* моб* звон* факс* сот* дзвон* ' +
      'τηλ* κιν* هاتف* الهاتف جوال* الجوال تلفون* تليفون* موبايل* الموبايل محمول المحمول واتس* ' +
      'موبایل* همراه تماس טל* נייד פלאפון* וואטסאפ* ווטסאפ* फोन* ' +
      'thoai sdt sđt đt dđ đtdđ telp* telepon* hubungi matkapuh* vaxel* ' +
      'मोबाइल* कॉल*',
  ],
  ['mobile', 'cel celu* cell* mob mobile movil moviles whats* wasap* guasap* wpp wsp zalo'],
  [
    'contact',
    'call* text iletisim irtibat संपर्क* anruf* appel* rappel* chamad* llamad* chiamat* contac* contat* ' +
      'kontakt* support* suporte soporte ' +
      'help* assist* aten* sac recepc* recept* office escritor* lada toll* kundend* kundens* zentrale accueil ' +
      'did ddd falar fale hablar cli src dst destination origem destino origen',
  ],
  [
    'otherThing',
    'order* orden* pedido* bestel* command* protoc* id ident* ref refer* cpf cnpj cnh rg cep zip plz postal* ' +
      'postc* cp nf nota chave invoice* fatur* fattur* factu* faktur* rechnung* iban bic sku ean upc isbn issn ' +
      'doi tracking rastre* seguim* sendung* suivi colis versi* versa* build serial* serie seri account* conta ' +
      'cuenta kont* compte card cards cartao carte tarjeta kredit* visa amex cod* artik* artic* item* ticket* ' +
      'chamado case cases incid* process* vorgang* akten* dossier fascic* matric* nif nie dni ' +
      'rut cuit ruc nit rfc curp siret siren tva iva piva partita vat btw ust ustid* steuer* hrb kvk ssn ein ' +
      'mrn kd kdnr kto passp* rev mac ip coord* ' +
      'lat latitud* lon lng contra* vertrag* lot lote estoq* batch charge kundenn* klant* member* boleto* ' +
      'barcode* agencia produ* seq* total* valor value preco precio preis* prix amount montan* betrag popula* ' +
      'poblaci* einwohner model* sinist* siniest* apol* poliza polizz* policy polis* omb form ' +
      'formula az liefer* patent* page* auftrag* exped* spediz* sped parcel paket* pakket* usd eur folio nhs abn ' +
      'acn stok* kod kodu aadhaar nir nas avs ahv blz routing sort zahler* mietern* patientenn* lieferantenn* ' +
      'txn* transac* docket loan claim* utente inscr* nsu ' +
      'autoriz* pis afili* albar* clabe cbu cedul* ordine ordini ordinativ* bollett* bsn acct* stock ' +
      'zamow* nip regon pesel cvr cpr ico dic siparis* vergi* заказ* инн طلب* الطلب* فاتورة* ' +
      'ऑर्डर* meter* medidor* permit* contador* खाता* ' +
      'receipt* recibo* saldo ' +
      'price* transaz* contator* transak* cheque* ' +
      'encomenda remessa requisic* requisit* talao cupom cupao coupon* voucher* romaneio prontuario empenho ' +
      'bilhet* billet* bigliett* bilet bulto justificante resguardo localizador remito comprobante precinto ' +
      'hesab* sozlesme* islem* ' +
      'legajo commessa commesse bolla pratica pratiche ricevuta scontrino frachtbr* beleg belege gutschrift* ' +
      'mahnung* waybill* consignm* challan emri makbuz dekont irsaliye sayac paragon przesylk* paczk* zlecen* ' +
      'licznik* umowa umowy bordereau* recepisse ' +
      'assur* kassenz* objedn* счет* договор* код* الفاتورة* הזמנה* बिल rekening*',
  ],
  ['not', 'not nao nicht kein* pas isn never nunca jamais geen niet non sem without ohne sans'],
  [
    'between',
    'number* numb num* nummer* nr nro no n is es ist est o a os as el la los las le les l der die ' +
      'das den the my meu minha mi mein* mon ma your seu sua su ihr* of do da de del des du von para ' +
      'pour por fur for to and e y et und ou or oder u at on em en in im an am auf unter com con mit ' +
      'avec alt alternat* direct* diret* dirett* from home work casa us me nos mich it h m c t p w d prefer* ' +
      'new novo nova neue neuer neuen nouveau nouvelle nuevo nueva nuovo nuova yeni best correct* right richtig* ' +
      'ar er je jest dir il lo al allo alla dal dell* mio tuo suo nostro ' +
      'mijn onze uw het van op bij naar bitte please ao na pelo pela him them back fiscal номер* هو नंबर رقم מספר',
  ],
  ['otherThing', '**rechnung **vertrag **konto **referenz **_id'],
  ['label', '*ref *nummer *nummern *numret *nr *numero *szam *code'],
  [
    'orders',
    'documento document dokument pedidos orders confirmation confirmacao confirmacion bestatigung lead ' +
      'leads deal deals booking reserva reservation dhl ups fedex usps dpd gls jadlog',
  ],
  [
    'whose',
    'numer* nomor broj cislo szam main other outro outra otro otra autre altro primar* princip* secund* ' +
      'second* emerg* ' +
      'trabaj* trabal* travail arbeit lavoro oficina ufficio maison domicil* zuhause residen* comerc* particular* ' +
      'dom praca sede matriz filial loja wife husband mother father brother sister son daughter mom dad partner boss ' +
      'mae pai marido esposa esposo mulher filho filha irmao irma madre padre mujer hijo hija herman* mari femme ' +
      'mere pere frau mann mutter vater bruder schwester sohn tochter chef* jefe jefa moglie marito figli* ' +
      'grandma grandpa grandmother grandfather grandson granddaughter aunt uncle mum maman papa papy mamie ' +
      'mama mamma tante oncle onkel tia tio avo vovo abuel* oma opa nonn* zia zio fratello sorella annesi babasi ' +
      'esi kizi oglu kardesi sogra suegr* ' +
      'her his their ihre seine personal private old antigo antigua anterior ancien alte urgen* notfall* ' +
      'noche* tarde* noite* manha* manana* soir matin abends evening* vizinh* vecin* voisin* ' +
      'numara daytime tagsuber kin spouse conjuge conyuge conjoint* coniuge perso personale ' +
      'wa ansprechpartner* responsa* comunicarse marcacion ' +
      'hubby carer* cuidador* keyholder* watchman condutor* sofor* ev kisisel pessoal ' +
      // What was done, or is to be done, with the number.
      'liga retorn* rang try else probar intentar tentar provare essay* ara yoksa veya senao ' +
      'melden besproch* avisar avvisare msg vm lm cb sinon altrimenti ' +
      // People and places that have a telephone, heads of columns, and terms that do not name a thing.
      'gerenc* gerent* manager* owner* dono dona donos propriet* inhaber* eigentum* tenant* ' +
      'inquilin* mieter* vermieter* landlord* locatair* hausmeister* hausverw* porter* portar* ' +
      'portier* conserj* gardien* caretaker* plumb* encanador* fontaner* plomer* klempn* electrician* ' +
      'electricist* electricien* eletricist* elettricist* elektrik* driver* motorist* chofer* fahrer* ' +
      'autist* doctor* medico medica medecin* arzt* praxis* clinic* klinik* hospital* krankenh* ' +
      'pharma* farmac* apothek* nurse* dentist* school* schule* escola* escuela* ecole* scuola* okul ' +
      'hotel* restaur* taxi* police policia polizei polizia werkst* taller* oficin* garage* admin* ' +
      'vertrieb* sales vendas ventas vendit* vendeur* compras einkauf* achats dispatch* servicen* ' +
      'technik* tecnic* technici* consult* advog* abogad* avocat* avvocat* lawyer* makler* corretor* ' +
      'broker* agent agente agents agentes office* branch* filial* sucursal* team equipo parent* ' +
      'elter* famil* neighb* komsu usta mudur* sorumlu* satis* yetkili* isyeri ofis sube* ' +
      'recipient* destinat* empfang* sender remetente expediteur* spediteur* haulier* carrier* supplier* ' +
      'fornecedor* proveedor* fournisseur* fornitor* lieferant* tedarik* patient* passag* passeng* guest* ' +
      'storung* breakdown* averia* avaria* guasto guasti depann* abschlepp* carro soccorso ' +
      'guardia plantao bereitschaft* notdienst* astreinte reperib* nobetci* duty standby ' +
      'billing facturacion facturation faturamento fatturazione buchhalt* contabil* comptab* ' +
      'name nome nombre nom info* detail* detalhe* dado* dato* wert inhalt daten chat viber signal telegram ' +
      'line linha linea ligne desk port ' +
      // A street, not a call.
      'calle calles callejon',
  ],
  // Titles and the most frequent given names. They are not a label, even with a colon.
  [
    'name',
    'mr mrs ms miss dr dra sr sra srta sig dott dona herr frau mme mlle monsieur madame bay bayan hanim shri smt ' +
      'ana anna anne ann maria marie mary jose joao john jon james joe jim jack juan jorge carlos carl ' +
      'karl luis luiz louis ' +
      'luca lucas lucia luke laura lara lena lea leo leon lisa linda marta martha marco marcos marc mark max maya ' +
      'mia mike michael michel miguel mario marina martin martina paul paulo paula pablo pedro peter petra ' +
      'pierre piotr ' +
      'rita rosa rob robert roberto rafael raul rui ricardo richard rick sam sara sarah sofia sophie silvia simon ' +
      'sandra sergio stefan steve sue susan sven tom tomas thomas tim tina teresa tiago uwe ulla vera victor vitor ' +
      'wolf will william yves yara zoe adam alex alan alice ali amy andre andrea andreas andres antonio antonia ' +
      'beatriz beto ben bia bill bob bruno carla carmen caro cem chris christian claire clara claudia cris dan dani ' +
      'daniel david debora denis diana diego dora ed eva eduardo elena elif emma emre eric erik ellen eli fabio ' +
      'fatma felipe felix fernando fernanda flor fran francisco frank franz gabriel george gino giulia giovanni gabi ' +
      'gustavo hans hugo ian ines inge inga ivan isabel jan jana jane javier jean jens jenny julia julie julio jules ' +
      'kai kate katrin kim klaus kurt ayse mehmet ahmet murat ravi raj priya amit anil sunil rahul neha anita sanjay ' +
      'suresh ramesh rajesh vijay deepak pooja sunita mustafa hasan osman zeynep emine dave gary kevin brian ' +
      'manuel mauro nico nina nora olga olivia omar oscar otto patricia pat pepe rene renata sonia toni valdir',
  ],
  ['person', 'client cliente clients clientes customer* klant klient klienta kunde kunden musteri'],
);

/** Streets, houses and rooms, whose numbers are no calling codes: Rua X 49 (11) 3333-4444. */
export const placeLexicon = new Lexicon<'place'>([
  'place',
  'rua avenida av alameda al travessa tv praca rodovia rod estrada largo quadra bloco andar sala apto ' +
    'apartamento loja conj cj km ' +
    'calle avda carrera cra paseo plaza piso depto dpto via rue bd boulevard blvd etage street road avenue ' +
    'ave lane flat unit suite ' +
    'room zi zimmer* floor apt apartment **strasse **straße **str **gasse **platz **weg **allee hausnr whg',
]);

/** Words that follow a count or an amount. */
export const unitLexicon = new Lexicon<'unit'>([
  'unit',
  'eur euro* usd dol* reais real pesos brl tl gbp pound* chf cts cent centim* centav* kwh ' +
    'kg kgs lbs km ms un unid* units stuck stk itens items pcs hab* einw* people votes kb mb gb byte* m² ' +
    'uhr h hor* heure* hour* min minut* mil* mio rows ' +
    'lignes filas linhas zeilen view views visits visitas visites visu* vues aufruf* weergav*',
]);
