// Monaco with the types of whatever a program imports. In: an element, a program. Out: its text, what is wrong with it, its
// JavaScript. Monaco comes as it was built, by its own loader; only the playground loads it.
import type * as Monaco from 'monaco-editor';

type MonacoModule = typeof Monaco;
interface Loader {
  (names: string[], done: () => void, failed: (error: unknown) => void): void;
  config(options: object): void;
}

/** Packs of declarations, by what a program has to import to need them. */
const PACKS: Record<string, RegExp> = {
  ricochet: /./,
  three: /from ['"](three|ricochet\/(three|react))/,
  babylon: /from ['"](@babylonjs|ricochet\/babylon)/,
  react: /from ['"](react|@react-three|ricochet\/react)/,
};

async function loadMonaco(lib: string): Promise<MonacoModule> {
  const globals = globalThis as unknown as { require?: Loader; monaco?: MonacoModule };
  if (globals.monaco !== undefined) return globals.monaco;
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${lib}monaco/vs/loader.js`;
    script.onload = resolve;
    script.onerror = () => reject(new Error('the editor could not be loaded'));
    document.head.append(script);
  });
  const load = globals.require!;
  load.config({ paths: { vs: `${lib}monaco/vs` } });
  await new Promise<void>((resolve, reject) => load(['vs/editor/editor.main'], resolve, reject));
  return globals.monaco!;
}

export class Editor {
  private readonly packs = new Set<string>();

  private constructor(
    private readonly monaco: MonacoModule,
    private readonly view: Monaco.editor.IStandaloneCodeEditor,
    private readonly lib: string,
  ) {}

  /** @param lib  address of the site's lib/ */
  static async open(place: HTMLElement, lib: string, dark: boolean): Promise<Editor> {
    const monaco = await loadMonaco(lib);
    const { typescript } = monaco;
    const { typescriptDefaults: defaults } = typescript;
    defaults.setCompilerOptions({
      target: 9 as never, // ES2022, which the editor's enumeration does not name
      module: typescript.ModuleKind.ESNext,
      moduleResolution: 100 as never, // 'bundler', which the editor's enumeration does not name
      jsx: typescript.JsxEmit.ReactJSX,
      lib: ['es2022', 'dom', 'dom.iterable'],
      strict: true,
      skipLibCheck: true,
      allowNonTsExtensions: true,
      types: [],
    });
    defaults.setEagerModelSync(true);
    const uri = monaco.Uri.parse('file:///main.tsx');
    const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel('', 'typescript', uri);
    const view = monaco.editor.create(place, {
      model,
      theme: dark ? 'vs-dark' : 'vs',
      automaticLayout: true,
      minimap: { enabled: false },
      fontSize: 13,
      tabSize: 2,
      scrollBeyondLastLine: false,
      padding: { top: 10 },
      fixedOverflowWidgets: true,
      ariaLabel: 'Program',
    });
    const editor = new Editor(monaco, view, lib);
    model.onDidChangeContent(() => void editor.loadTypes());
    return editor;
  }

  get text(): string {
    return this.view.getValue();
  }

  set text(text: string) {
    this.view.setValue(text);
  }

  setDark(dark: boolean): void {
    this.monaco.editor.setTheme(dark ? 'vs-dark' : 'vs');
  }

  /** Ctrl or Cmd and Enter. */
  onRun(run: () => void): void {
    this.view.addCommand(this.monaco.KeyMod.CtrlCmd | this.monaco.KeyCode.Enter, run);
  }

  private async loadTypes(): Promise<void> {
    const wanted = Object.keys(PACKS).filter((name) => PACKS[name]!.test(this.text) && !this.packs.has(name));
    for (const name of wanted) this.packs.add(name);
    await Promise.all(
      wanted.map(async (name) => {
        const files: Record<string, string> = await (await fetch(`${this.lib}types/${name}.json`)).json();
        const { typescriptDefaults } = this.monaco.typescript;
        for (const [path, text] of Object.entries(files))
          typescriptDefaults.addExtraLib(text, `file:///${path}`);
      }),
    );
  }

  private async client() {
    const model = this.view.getModel()!;
    const worker = await this.monaco.typescript.getTypeScriptWorker();
    return { client: await worker(model.uri), uri: model.uri.toString() };
  }

  async javaScript(): Promise<string> {
    const { client, uri } = await this.client();
    const { outputFiles } = await client.getEmitOutput(uri);
    return outputFiles.find(({ name }) => name.endsWith('.js'))!.text;
  }

  /** What TypeScript says against the program, with all types at hand. */
  async problems(): Promise<string[]> {
    await this.loadTypes();
    const { client, uri } = await this.client();
    const found = [
      ...(await client.getSyntacticDiagnostics(uri)),
      ...(await client.getSemanticDiagnostics(uri)),
    ];
    return found.map(({ messageText }) =>
      typeof messageText === 'string' ? messageText : messageText.messageText,
    );
  }

  /** Names that are offered after the first `marker` in the program. */
  async completions(marker: string): Promise<string[]> {
    await this.loadTypes();
    const { client, uri } = await this.client();
    const info = await client.getCompletionsAtPosition(uri, this.text.indexOf(marker) + marker.length);
    return (info?.entries ?? []).map(({ name }: { name: string }) => name);
  }

  dispose(): void {
    this.view.dispose();
  }
}
