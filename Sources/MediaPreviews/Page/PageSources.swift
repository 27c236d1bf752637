// Made by tools/page of the files beside it; scripts/check holds them together.

/// The page's style sheet, `page.css`.
enum PageStyle {
    /// What the page's policy allows.
    static let hash = "sha256-P8J7BFHQu04qHdNLSwdKyKvT2Tsgavspmd+O2djGO/Y="

    static let text = #"""

        :root {
          color-scheme: light dark;
          --page: #fafaf8; --panel: #fff; --ink: #1d1d1f; --quiet: #66666c; --line: #e2e2de;
          --accent: #1f6fd6; --current: #e8f0fb; --stage: #ecece8; --gap: #8a5a00; --damage: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #131315; --panel: #1b1b1e; --ink: #ececee; --quiet: #9c9ca4; --line: #2d2d32;
            --accent: #6aa8ff; --current: #1d2b40; --stage: #0b0b0c; --gap: #e0a43a; --damage: #ff8a80;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body {
          margin: 0 auto; padding: clamp(12px, 3vw, 32px); max-width: 1480px;
          background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
          font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
        }
        h1 { margin: 0; font-size: clamp(20px, 2.4vw, 28px); line-height: 1.2; font-weight: 650; letter-spacing: -0.01em;
          overflow-wrap: anywhere; text-align: start; text-wrap: balance; }
        .facts b { color: var(--damage); font-weight: 600; }
        .facts { margin: 4px 0 clamp(14px, 2vw, 24px); color: var(--quiet); overflow-wrap: anywhere; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
        html:not(.js) main { display: none; }

        main { display: grid; gap: clamp(16px, 2.4vw, 32px); grid-template-columns: minmax(0, 1fr); }
        .stage { display: grid; place-items: center; background: var(--stage); border-radius: 10px; overflow: hidden; }
        .stage canvas { display: block; aspect-ratio: var(--ratio);
          width: min(100%, var(--picture-width), 62vh * var(--ratio)); }
        .stage video { display: block; width: 100%; max-height: 62vh; aspect-ratio: var(--ratio); background: #000; }
        .stage video.sound { order: 1; width: calc(100% - 16px); height: 54px; margin: 8px; aspect-ratio: auto;
          background: none; }
        canvas.loading { opacity: 0; }
        #trouble, #note { margin: 12px 0 0; padding: 8px 12px; border-radius: 8px; overflow-wrap: anywhere;
          border: 1px solid currentColor; color: var(--damage); font-size: 14px; }
        #note.gap { color: var(--gap); }

        .scrub { position: relative; margin-top: 12px; }
        #bar { position: relative; height: 52px; border-radius: 8px; background: var(--stage); cursor: pointer;
          touch-action: pan-y; user-select: none; -webkit-user-select: none; }
        #strip { width: 100%; height: 100%; border-radius: 8px; }
        #progress { position: absolute; left: 0; bottom: 0; height: 4px; width: 0; background: var(--accent);
          border-radius: 0 0 0 8px; }
        #marks span { position: absolute; top: 0; height: 6px; min-width: 3px; background: var(--damage); }
        #marks span.gap { background: repeating-linear-gradient(135deg, var(--gap) 0 3px, var(--page) 3px 5px); }
        #position, #pointer { position: absolute; top: -4px; bottom: -4px; width: 4px; margin-left: -2px; left: 0;
          border-radius: 2px; background: var(--accent); box-shadow: 0 0 0 1.5px var(--page); pointer-events: none; }
        #pointer { width: 2px; margin-left: -1px; background: var(--ink); }
        #bubble { position: absolute; bottom: calc(100% + 8px); left: 0; z-index: 2; width: max-content;
          padding: 3px; border-radius: 8px; background: var(--panel); color: var(--ink); pointer-events: none;
          border: 1px solid var(--line); box-shadow: 0 4px 18px rgb(0 0 0 / 0.25); text-align: center; }
        #bubble canvas { display: block; max-width: min(240px, 60vw); max-height: 200px; border-radius: 5px; }
        #bubble span { display: block; padding: 0 6px; font-size: 13px; font-weight: 600; }

        .readout { display: flex; flex-wrap: wrap; gap: 8px clamp(16px, 4vw, 40px); margin: 14px 0 0; }
        .readout dt { color: var(--quiet); font-size: 12px; }
        .readout dd { margin: 0; font-size: 18px; font-weight: 600; min-width: 7.2em; }

        table { display: block; height: clamp(260px, 60vh, 620px); overflow-y: auto; overscroll-behavior: contain;
          background: var(--panel); border: 1px solid var(--line); border-radius: 10px; font-size: 14px; }
        thead { display: block; position: sticky; top: 0; z-index: 1; background: var(--panel);
          border-bottom: 1px solid var(--line); color: var(--quiet); font-size: 12px; }
        th { padding: 0; font-weight: 500; text-align: start; }
        td { padding: 0; min-width: 0; white-space: nowrap; }
        tbody { display: block; position: relative; }
        tr { display: grid; align-items: center; gap: 0 12px; padding: 0 12px;
          grid-template: "picture start end frame kind" / 92px 90px 90px 90px minmax(0, 1fr); }
        thead tr { height: 32px; }
        tbody tr { position: absolute; left: 0; right: 0; height: 60px; cursor: pointer;
          border-bottom: 1px solid var(--line); }
        tbody tr:hover { background: var(--page); }
        tbody tr[aria-selected=true] { background: var(--current); box-shadow: inset 3px 0 var(--accent); }
        tbody tr:focus-visible { outline-offset: -3px; }
        .picture { grid-area: picture; } .start { grid-area: start; } .end { grid-area: end; }
        .frame { grid-area: frame; } .kind { grid-area: kind; }
        td.picture canvas { display: block; max-width: 92px; max-height: 52px; border-radius: 4px; background: var(--stage); }
        td.end, td.frame { color: var(--quiet); }
        td.kind { white-space: normal; }
        .badge { display: inline-block; margin: 1px 4px 1px 0; padding: 0 7px; border-radius: 99px; font-size: 12px;
          border: 1px solid var(--line); color: var(--quiet); }
        .badge.damage, .badge.gap { border-color: currentColor; color: var(--damage); font-weight: 600; }
        .badge.gap { color: var(--gap); }

        .sheets { margin-top: clamp(16px, 2.4vw, 32px); border-top: 1px solid var(--line); padding-top: 12px; }
        .sheets summary { cursor: pointer; font-weight: 600; }
        .sheets .count { color: var(--quiet); font-weight: 400; }
        .sheets ol { display: grid; gap: 20px; margin: 16px 0 0; padding: 0; list-style: none; }
        .sheets figure { margin: 0; }
        .sheets img { display: block; max-width: 100%; height: auto; border-radius: 6px; background: var(--stage); }
        .sheets figcaption { margin-top: 4px; color: var(--quiet); font-size: 13px; }

        @media (min-width: 1120px) {
          main { grid-template-columns: minmax(0, 1fr) 540px; align-items: start; }
          .view { position: sticky; top: 24px; }
          table { height: min(calc(100vh - 150px), 860px); }
        }
        @media (max-width: 560px) {
          tr { grid-template: "picture start frame" auto "picture end kind" auto / 84px minmax(0, 1fr) minmax(0, 1fr);
            gap: 2px 8px; padding: 0 8px; align-content: center; font-size: 13px; }
          thead tr { height: 44px; }
          td.picture canvas { max-width: 84px; }
          .badge { padding: 0 5px; font-size: 11px; }
          .readout { gap: 8px 14px; }
          .readout dd { font-size: 15px; min-width: 0; }
        }
        @media (forced-colors: active) {
          #position, #pointer, #progress, #marks span { forced-color-adjust: none; background: Highlight; }
        }

        """#
}

/// The page's script, `page.js`.
enum PageScript {
    /// What the page's policy allows.
    static let hash = "sha256-EE1vjHEkZAfYzv9LNF4Rv9s/oM7AXJrVJocG3KfzUas="

    static let text = #"""

        'use strict';
        const byId = id => document.getElementById(id);
        const data = JSON.parse(byId('data').textContent);
        const [bar, table, rows, film, bubble] = ['bar', 'table', 'rows', 'film', 'bubble'].map(byId);
        const sheets = [...document.querySelectorAll('.sheets img')];
        const count = data.starts.length;
        const rowHeight = 60;
        let position = data.begin;  // milliseconds: where the film is
        let pointed = null;         // milliseconds: where the pointer is, if it is over the bar
        let dragging = false;
        let filmIsShown = Boolean(film);

        const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
        const length = Math.max(1, data.end - data.begin);
        const share = ms => clamp((ms - data.begin) / length, 0, 1);
        const pad = (value, length) => String(value).padStart(length, '0');
        const clock = ms => Math.floor(ms / 3600000) + ':' + pad(Math.floor(ms / 60000) % 60, 2) + ':'
          + pad(Math.floor(ms / 1000) % 60, 2) + '.' + pad(ms % 1000, 3);
        const endOf = cue => cue + 1 < count ? data.starts[cue + 1] : data.end;

        // The last cue that has begun by then.
        function cueAt(ms) {
          let [low, high] = [0, count - 1];
          while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (data.starts[middle] <= ms) low = middle; else high = middle - 1;
          }
          return low;
        }

        function make(name, className, text) {
          const node = document.createElement(name);
          if (className) node.className = className;
          if (text !== undefined) node.textContent = text;
          return node;
        }

        const notes = new Map();
        for (const note of data.notes) notes.set(note.cue, [...notes.get(note.cue) || [], note]);

        // Pictures. Sheets are images of the list below, fetched when first needed.
        const isReady = sheet => sheet.complete && sheet.naturalWidth > 0;
        const waiting = new Map();
        const missing = [];
        function whenReady(number) {
          if (!waiting.has(number)) {
            const sheet = sheets[number];
            sheet.loading = 'eager';
            waiting.set(number, sheet.decode().then(() => true, () => {
              missing.push(sheet.src.startsWith('data:') ? 'Sheet ' + (number + 1) : sheet.getAttribute('src'));
              say('sheets', missing[0] + (missing.length > 1 ? ' and ' + (missing.length - 1) + ' more' : '')
                + ' could not be loaded: pictures are missing.');
              return false;
            }));
          }
          return waiting.get(number);
        }

        function drawTile(context, cue, x, y, width, height) {
          const tile = data.tiles[cue];
          const place = tile % data.tilesPerSheet;
          context.imageSmoothingQuality = 'high';
          context.drawImage(sheets[Math.floor(tile / data.tilesPerSheet)],
            place % data.columns * data.tileWidth, Math.floor(place / data.columns) * data.tileHeight,
            data.tileWidth, data.tileHeight, x, y, width, height);
        }

        // Fills a canvas with a cue's picture now or, unless it is to show another by then, when the sheet is there.
        function show(canvas, cue, width = data.tileWidth, height = data.tileHeight) {
          canvas.dataset.cue = cue;
          const number = Math.floor(data.tiles[cue] / data.tilesPerSheet);
          const draw = () => {
            if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
            drawTile(canvas.getContext('2d'), cue, 0, 0, width, height);
            canvas.classList.remove('loading');
          };
          if (isReady(sheets[number])) return draw();
          canvas.classList.add('loading');
          whenReady(number).then(good => {
            if (good && canvas.dataset.cue === String(cue)) draw();
          });
        }

        const troubles = {};
        function say(about, text) {
          troubles[about] = text;
          byId('trouble').textContent = Object.values(troubles).join(' ');
          byId('trouble').hidden = false;
        }

        // The preview, the bar and the times.
        const picture = byId('picture');
        function render() {
          const ms = pointed ?? position;
          const cue = cueAt(ms);
          if (!filmIsShown) {
            const width = Math.round(picture.clientWidth * devicePixelRatio) || data.tileWidth;
            show(picture, cue, width, Math.round(width * data.tileHeight / data.tileWidth));
            const number = Math.floor(data.tiles[cue] / data.tilesPerSheet);
            for (const near of [number + 1, number - 1]) if (sheets[near]) whenReady(near);
            picture.setAttribute('aria-label', 'The film at ' + clock(data.frames[cue]));
          }
          const isPointed = pointed !== null;
          const here = share(ms);
          bubble.hidden = byId('pointer').hidden = !isPointed;
          if (isPointed) {
            const thumbnail = byId('thumbnail');
            thumbnail.hidden = !filmIsShown;
            if (filmIsShown) show(thumbnail, cue);
            bubble.lastElementChild.textContent = clock(ms);
            const room = bar.clientWidth - bubble.offsetWidth;
            bubble.style.left = clamp(here * bar.clientWidth - bubble.offsetWidth / 2, 0, Math.max(room, 0)) + 'px';
            byId('pointer').style.left = here * 100 + '%';
          }
          byId('position').style.left = byId('progress').style.width = share(position) * 100 + '%';
          byId('moment-label').textContent = isPointed ? 'Pointer' : 'Position';
          byId('moment').textContent = clock(ms);
          byId('frame').textContent = clock(data.frames[cue]);
          byId('number').textContent = (cue + 1) + ' of ' + count;
          const note = (notes.get(cue) || []).find(note => note.kind === 'damage' || note.from <= ms && ms < note.to);
          byId('note').hidden = !note;
          if (note) {
            byId('note').className = note.kind;
            byId('note').textContent = (note.kind === 'gap' ? 'No picture of its own: ' : 'Damaged: ') + note.text;
          }
          const now = cueAt(position);
          bar.setAttribute('aria-valuenow', position);
          bar.setAttribute('aria-valuetext', clock(position) + ', frame at ' + clock(data.frames[now])
            + ', picture ' + (now + 1) + ' of ' + count);
          select(now);
        }

        function drawStrip() {
          const strip = byId('strip');
          const [width, height] = [bar.clientWidth, bar.clientHeight];
          const number = Math.max(1, Math.round(width * data.tileHeight / data.tileWidth / height));
          [strip.width, strip.height] = [width * devicePixelRatio, height * devicePixelRatio];
          const step = strip.width / number;
          for (let index = 0; index < number; index += 1) {
            const cue = cueAt(data.begin + (index + 0.5) / number * length);
            whenReady(Math.floor(data.tiles[cue] / data.tilesPerSheet)).then(good => {
              if (good) drawTile(strip.getContext('2d'), cue, index * step, 0, step, strip.height);
            });
          }
        }

        function drawMarks() {
          let last = null;
          for (const note of data.notes) {
            const [from, to] = [share(note.from) * 100, share(note.to) * 100];
            if (last && last.kind === note.kind && from - last.to < 0.1) {
              last.to = Math.max(last.to, to);
            } else {
              last = {kind: note.kind, from, to, node: make('span', note.kind)};
              last.node.style.left = from + '%';
              byId('marks').append(last.node);
            }
            last.node.style.width = last.to - last.from + '%';
          }
        }

        // Moving. A seek that is under way is let finish; the newest wish comes next.
        let wish = null;
        // The film's time of the page's zero: browsers keep the file's times, or let them begin at zero.
        let shift = data.origin - data.zero;
        let sought = false;
        function seek() {
          if (wish === null || !film || film.seeking) return;
          // Browsers cut what they are given to microseconds, and a frame may begin at this very millisecond.
          const ms = wish + shift;
          film.currentTime = ms > 0 ? (ms + 0.1) / 1000 : 0;
          wish = null;
          sought = true;
        }
        function moveTo(ms) {
          position = Math.round(clamp(ms, data.begin, data.end));
          if (film && !film.error) {
            wish = position;
            seek();
          }
          render();
        }
        const moveToCue = cue => moveTo(data.starts[clamp(cue, 0, count - 1)]);

        function timeAt(event) {
          const box = bar.getBoundingClientRect();
          return Math.round(data.begin + clamp((event.clientX - box.left) / box.width, 0, 1) * length);
        }
        bar.addEventListener('pointerdown', event => {
          if (event.button !== 0) return;
          bar.setPointerCapture(event.pointerId);
          dragging = true;
          pointed = timeAt(event);
          moveTo(pointed);
        });
        bar.addEventListener('pointermove', event => {
          pointed = timeAt(event);
          if (dragging) moveTo(pointed); else render();
        });
        const letGo = event => {
          dragging = false;
          if (event.type !== 'pointerup' || event.pointerType !== 'mouse') pointed = null;
          render();
        };
        for (const name of ['pointerup', 'pointercancel', 'pointerleave']) bar.addEventListener(name, letGo);
        const steps = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10};
        bar.addEventListener('keydown', event => {
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          if (event.key in steps) moveToCue(cueAt(position) + steps[event.key]);
          else if (event.key === 'Home') moveToCue(0);
          else if (event.key === 'End') moveToCue(count - 1);
          else return;
          pointed = null;
          render();
          event.preventDefault();
        });

        // The table: only the rows that can be seen exist.
        const made = new Map();
        let selected = 0;
        let focused = 0;
        function makeRow(cue) {
          const row = make('tr');
          row.setAttribute('role', 'row');
          row.setAttribute('aria-rowindex', cue + 2);
          row.dataset.cue = cue;
          row.style.top = cue * rowHeight + 'px';
          const cells = ['picture', 'start', 'end', 'frame', 'kind'].map(name => make('td', name));
          for (const cell of cells) cell.setAttribute('role', 'gridcell');
          const canvas = make('canvas');
          cells[0].append(canvas);
          show(canvas, cue);
          cells[1].textContent = clock(data.starts[cue]);
          cells[2].textContent = clock(endOf(cue));
          cells[3].textContent = clock(data.frames[cue]);
          if (data.sync[cue]) cells[4].append(make('span', 'badge', 'sync'));
          for (const kind of ['damage', 'gap']) {
            const texts = (notes.get(cue) || []).filter(note => note.kind === kind).map(note => note.text);
            if (!texts.length) continue;
            const badge = make('span', 'badge ' + kind, kind === 'gap' ? 'gap' : 'damaged');
            badge.title = texts.join(', ');
            cells[4].append(badge);
          }
          row.append(...cells);
          return row;
        }
        function mark(cue) {
          const row = made.get(cue);
          if (!row) return;
          row.setAttribute('aria-selected', cue === selected);
          row.tabIndex = cue === focused ? 0 : -1;
        }
        function fill() {
          const first = clamp(Math.floor(table.scrollTop / rowHeight) - 6, 0, count - 1);
          const last = clamp(Math.ceil((table.scrollTop + table.clientHeight) / rowHeight) + 6, first, count - 1);
          for (const [cue, row] of made) {
            if ((cue < first || cue > last) && cue !== focused) { row.remove(); made.delete(cue); }
          }
          for (const cue of new Set([...Array(last - first + 1).keys()].map(index => first + index).concat(focused))) {
            if (made.has(cue)) continue;
            made.set(cue, makeRow(cue));
            mark(cue);
            rows.insertBefore(made.get(cue), [...rows.children].find(row => row.dataset.cue > cue) || null);
          }
        }
        function reveal(cue) {
          const room = table.clientHeight - rows.offsetTop;
          const top = cue * rowHeight;
          if (top < table.scrollTop) table.scrollTop = top;
          else if (top + rowHeight > table.scrollTop + room) table.scrollTop = top + rowHeight - room;
        }
        function select(cue) {
          if (cue === selected) return;
          const old = [selected, focused];
          selected = cue;
          if (!table.matches(':hover') && !table.contains(document.activeElement)) {
            focused = cue;
            reveal(cue);
          }
          fill();
          for (const changed of [...old, selected, focused]) mark(changed);
        }
        function focusRow(cue) {
          const old = focused;
          focused = clamp(cue, 0, count - 1);
          reveal(focused);
          fill();
          mark(old);
          mark(focused);
          made.get(focused).focus({preventScroll: true});
        }
        rows.addEventListener('click', event => {
          const row = event.target.closest('tr');
          if (!row) return;
          focusRow(Number(row.dataset.cue));
          moveToCue(focused);
        });
        const rowSteps = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -count, End: count};
        rows.addEventListener('keydown', event => {
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          if (event.key in rowSteps) focusRow(focused + rowSteps[event.key]);
          else if (event.key === 'Enter' || event.key === ' ') moveToCue(focused);
          else return;
          event.preventDefault();
        });
        table.addEventListener('scroll', fill, {passive: true});

        // The film.
        function withoutFilm(text) {
          say('film', text + ' The storyboard works without it.');
          filmIsShown = false;
          picture.hidden = false;
          render();
        }
        function filmFailed() {
          film.hidden = true;
          withoutFilm(film.error.code === 3 ? 'The film could not be decoded to its end.'
            : 'This browser cannot play the film, or the film is not where it was when this page was made.');
        }
        function filmLoaded() {
          if (film.videoWidth > 0) return;
          film.classList.add('sound');
          withoutFilm('This browser plays the film’s sound but not its pictures.');
        }
        // How long the film is for the browser, and where it stands before anything moved it, tell what it begins with.
        function filmBegun() {
          const ms = film.duration * 1000;
          const isShorter = Math.abs(ms - data.duration) < Math.abs(ms - data.duration - data.origin);
          if (!sought && isShorter && film.currentTime * 2000 < data.origin) shift = -data.zero;
          filmMoved();
        }
        function filmMoved() {
          seek();
          if (film.seeking || wish !== null || dragging) return;
          position = clamp(Math.round(film.currentTime * 1000) - shift, data.begin, data.end);
          render();
        }

        document.documentElement.classList.add('js');
        document.querySelector('.sheets').open = false;
        const root = document.documentElement.style;
        root.setProperty('--ratio', data.tileWidth / data.tileHeight);
        root.setProperty('--picture-width', Math.max(800, data.tileWidth * 4) + 'px');
        rows.style.height = count * rowHeight + 'px';
        table.setAttribute('aria-rowcount', count + 1);
        bar.setAttribute('aria-valuemin', data.begin);
        bar.setAttribute('aria-valuemax', data.end);
        picture.hidden = filmIsShown;
        drawMarks();
        fill();
        mark(0);
        if (film) {
          film.addEventListener('error', filmFailed);
          film.addEventListener('loadedmetadata', filmLoaded);
          film.addEventListener('loadeddata', filmBegun);
          film.addEventListener('timeupdate', filmMoved);
          film.addEventListener('seeked', filmMoved);
          if (film.error) filmFailed();
          else if (film.readyState > 0) filmLoaded();
          if (film.readyState > 1) filmBegun();
        }
        render();
        new ResizeObserver(() => { drawStrip(); fill(); render(); }).observe(bar);

        """#
}
