// The editor: YAML with completion from the schema, and playsim's mistakes at their places.
import { autocompletion } from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { indentWithTab } from '@codemirror/commands';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { Mistake } from './engine.js';
import { placeAt } from './path.js';
import type { Guide } from './schema.js';

/** Longer mistakes than this are underlined in part. */
const LONGEST = 400;

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0 24px' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--panel)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--mark) !important' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--muted)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--link)', color: 'var(--paper)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-completionInfo': { maxWidth: '320px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', fontSize: '13px' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--link)', color: 'var(--paper)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad) 1.5px' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: [tags.keyword, tags.typeName, tags.meta], color: 'var(--note)' },
]);

export interface Editor {
  view: EditorView;
  text(): string;
  /** Shows another text, as another document. */
  open(text: string): void;
  /** Replaces the whole text, as an edit that can be undone. */
  replace(text: string): void;
  mark(mistakes: Mistake[], warnings: Warning[]): void;
  goTo(line: number, column: number): void;
}

export function createEditor(parent: HTMLElement, guide: Guide, isScenario: () => boolean, changed: (text: string) => void): Editor {
  const language = new Compartment();
  const extensions = [
    basicSetup,
    language.of(yaml()),
    look,
    syntaxHighlighting(colours),
    lintGutter(),
    autocompletion({ override: [(context) => (isScenario() ? complete(context, guide) : null)] }),
    hover(guide, isScenario),
    keymap.of([indentWithTab]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Scenario or document. Escape, then Tab, leaves the editor.', tabindex: '0' }),
    // Files that are dropped are opened by the page, not pasted.
    EditorView.domEventHandlers({ drop: (event) => (event.dataTransfer?.files.length ?? 0) > 0 }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: '', extensions }) });
  return {
    view,
    text: () => view.state.doc.toString(),
    open(text) {
      view.setState(EditorState.create({ doc: text, extensions }));
      changed(text);
    },
    replace(text) {
      const now = view.state.doc.toString();
      // Only what differs, so that the cursor stays where it is.
      let from = 0;
      while (from < now.length && now[from] === text[from]) from += 1;
      let behind = 0;
      const most = Math.min(now.length, text.length) - from;
      while (behind < most && now[now.length - 1 - behind] === text[text.length - 1 - behind]) behind += 1;
      view.dispatch({
        changes: { from, to: now.length - behind, insert: text.slice(from, text.length - behind) },
        annotations: Transaction.userEvent.of('input.setting'),
      });
    },
    mark(mistakes, warnings) {
      const text = view.state.doc.toString();
      const found = [...mistakes.map((mistake) => diagnostic(mistake, text)), ...warnings.map((warning) => warned(warning, view))];
      view.dispatch(setDiagnostics(view.state, found));
    },
    goTo(line, column) {
      const at = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: Math.min(at.from + column - 1, at.to) }, scrollIntoView: true });
      view.focus();
    },
  };
}

/** Places of playsim are in bytes of UTF-8, those of the editor in units of UTF-16. */
function unitsAt(text: string, bytes: number): number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return Math.min(bytes, text.length);
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
}

/** A failed expectation, at its line. */
export interface Warning {
  line: number | null;
  message: string;
}

function warned(warning: Warning, view: EditorView): Diagnostic {
  const { from, to } = view.state.doc.line(Math.min(Math.max(warning.line ?? 1, 1), view.state.doc.lines));
  return { from, to, severity: 'warning', message: warning.message };
}

function diagnostic(mistake: Mistake, text: string): Diagnostic {
  const from = unitsAt(text, mistake.range[0]);
  const to = Math.min(Math.max(unitsAt(text, mistake.range[1]), from), from + LONGEST);
  const found: Diagnostic = { from, to, severity: 'error', source: `line ${mistake.line}`, message: mistake.message };
  const meant = mistake.suggestion;
  if (meant === null) return found;
  const apply = (view: EditorView, start: number, end: number) =>
    view.dispatch({ changes: { from: start, to: end, insert: meant } });
  return { ...found, message: `${mistake.message}; did you mean "${meant}"?`, actions: [{ name: `write ${meant}`, apply }] };
}

function complete(context: CompletionContext, guide: Guide): CompletionResult | null {
  const place = placeAt(context.state.doc.toString(), context.pos);
  if (!context.explicit && place.word === '' && place.isKey) return null;
  const choices = guide.choices(place.path, place.isKey);
  if (choices.length === 0) return null;
  const hasColon = /^[\w.$-]*\s*:/.test(context.state.sliceDoc(context.pos, context.pos + 80));
  const options = choices.map(({ label, about, detail }) => ({
    label,
    info: about,
    detail,
    type: place.isKey ? 'property' : 'enum',
    // A key that has its colon already keeps it.
    apply: place.isKey && !hasColon ? `${label}: ` : label,
  }));
  return { from: place.from, options, validFor: /^[\w.$-]*$/ };
}

function hover(guide: Guide, isScenario: () => boolean) {
  return hoverTooltip((view, position) => {
    if (!isScenario()) return null;
    const word = view.state.wordAt(position);
    const line = view.state.doc.lineAt(position);
    const rest = line.text.slice(position - line.from).match(/^[\w.$-]*/)?.[0].length ?? 0;
    const before = line.text.slice(0, position - line.from).match(/[\w.$-]*$/)?.[0].length ?? 0;
    const [from, to] = [position - before, position + rest];
    const key = view.state.sliceDoc(from, to);
    if (!word || view.state.sliceDoc(to, to + 1) !== ':') return null;
    const known = guide.about(placeAt(view.state.doc.toString(), from).path, key);
    if (!known?.about) return null;
    return {
      pos: from,
      end: to,
      create() {
        const dom = document.createElement('div');
        dom.className = 'hint';
        dom.textContent = known.detail ? `${known.about} (${known.detail})` : known.about;
        return { dom };
      },
    };
  });
}
