// ISO 3166-1: the two letters, then the three letters, of every country (and XK, in wide use for Kosovo).
const CODES = `
	ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE
	BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS
	BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN
	COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST
	EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
	GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD
	HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM
	JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA
	LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
	MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
	NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG
	PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA
	SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD
	STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON
	TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
	VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE XKXKX
`;

/** Every two-letter code with its three-letter code, in upper case. */
export const ISO_CODES: ReadonlyArray<readonly [iso2: string, iso3: string]> = CODES.trim()
	.split(/\s+/)
	.map((code) => [code.slice(0, 2), code.slice(2)]);

/** Names in use besides the one that `Intl.DisplayNames` gives in English. */
export const OTHER_NAMES: Record<string, readonly string[]> = {
	AE: ['UAE'],
	BN: ['Brunei Darussalam'],
	BO: ['Plurinational State of Bolivia'],
	BQ: ['Bonaire, Sint Eustatius and Saba'],
	CC: ['Cocos Islands'],
	CD: ['Democratic Republic of the Congo', 'Congo (Kinshasa)', 'Congo (DRC)', 'DR Congo', 'DRC'],
	CG: ['Republic of the Congo', 'Congo (Brazzaville)', 'Congo (Republic)'],
	CI: ['Ivory Coast'],
	CV: ['Cabo Verde'],
	CZ: ['Czech Republic'],
	FK: ['Falkland Islands (Malvinas)'],
	FM: ['Federated States of Micronesia'],
	GB: ['UK', 'Great Britain', 'United Kingdom of Great Britain and Northern Ireland'],
	HK: ['Hong Kong'],
	HM: ['Heard Island and McDonald Islands'],
	IR: ['Islamic Republic of Iran'],
	KP: ["Democratic People's Republic of Korea", 'Korea (North)', 'Korea, North', 'DPRK'],
	KR: ['Republic of Korea', 'Korea (South)', 'Korea, South'],
	LA: ["Lao People's Democratic Republic"],
	LY: ['Libyan Arab Jamahiriya'],
	MD: ['Republic of Moldova'],
	MF: ['Saint Martin (French part)'],
	MK: ['Macedonia', 'The former Yugoslav Republic of Macedonia'],
	MM: ['Myanmar', 'Burma'],
	MO: ['Macao', 'Macau'],
	NL: ['Holland'],
	PN: ['Pitcairn'],
	PS: ['State of Palestine', 'Palestine', 'Occupied Palestinian Territory'],
	RU: ['Russian Federation'],
	SH: ['Saint Helena, Ascension and Tristan da Cunha'],
	SX: ['Sint Maarten (Dutch part)'],
	SY: ['Syrian Arab Republic'],
	SZ: ['Swaziland'],
	TL: ['East Timor'],
	TR: ['Turkey'],
	TW: ['Taiwan, Province of China', 'Taiwan (Province of China)'],
	TZ: ['United Republic of Tanzania'],
	UM: ['United States Minor Outlying Islands'],
	US: ['USA', 'U.S.', 'United States of America'],
	VA: ['Holy See', 'Vatican', 'Holy See (Vatican City State)'],
	VE: ['Bolivarian Republic of Venezuela'],
	VG: ['Virgin Islands (British)'],
	VI: ['Virgin Islands (U.S.)'],
	VN: ['Viet Nam'],
};

/** Names that two countries share, and which one is meant if the service lists a country by that name. */
export const SHARED_NAMES: Record<string, string> = { CG: 'Congo', KR: 'Korea' };

/** Parts of countries that people enter as a country, with its two-letter code. A list may have them as countries, too. */
export const PARTS_OF_COUNTRIES: ReadonlyArray<readonly [part: string, iso2: string]> = [
	['England', 'GB'],
	['Northern Ireland', 'GB'],
	['Scotland', 'GB'],
	['Wales', 'GB'],
];
