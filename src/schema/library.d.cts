declare const loadLibrary: () => typeof import('ata-validator');
export = loadLibrary;
