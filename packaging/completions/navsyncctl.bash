# SPDX-License-Identifier: Apache-2.0
# bash completion for navsyncctl: made by 'navsyncctl completion'; do not edit
_navsyncctl_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_navsyncctl_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
}
_navsyncctl_stacks() {
    local name
    while IFS= read -r name; do
        printf -v name %q "$name"
        if [[ $name == "$current"* ]]; then COMPREPLY+=("$name"); fi
    done < <(navsyncctl --timeout 0.5 list --names 2>/dev/null)
}
_navsyncctl() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in push|pull|list|rm|watch|show|append|pop|history|undo|status|pair|peer|id|encode|decode|inspect|dict|bench|completion|help) command=$word; break ;; esac
    done
    COMPREPLY=()
    case $command:$previous in
        *:--socket) return ;;
        *:--timeout) return ;;
        *:--color) _navsyncctl_words "auto always never"; return ;;
        push:--expect) return ;;
        pull:--output|pull:-o) _navsyncctl_files; return ;;
        pull:--at) return ;;
        watch:--count|watch:-n) return ;;
        append:--expect) return ;;
        pop:--count|pop:-n) return ;;
        pop:--expect) return ;;
        history:--limit|history:-n) return ;;
        undo:--to) return ;;
        pair:--read) return ;;
        pair:--write) return ;;
        pair:--max-stacks) return ;;
        pair:--max-bytes) return ;;
        pair:--name) return ;;
        pair:--address) return ;;
        peer:--read) return ;;
        peer:--write) return ;;
        peer:--max-stacks) return ;;
        peer:--max-bytes) return ;;
        encode:--output|encode:-o) _navsyncctl_files; return ;;
        encode:--dictionary) _navsyncctl_files; return ;;
        encode:--from) _navsyncctl_words "swiftui backport flowpath crossui plain"; return ;;
        encode:--tag) return ;;
        decode:--output|decode:-o) _navsyncctl_files; return ;;
        decode:--dictionary) _navsyncctl_files; return ;;
        decode:--module) return ;;
        decode:--to) _navsyncctl_words "swiftui crossui"; return ;;
        inspect:--dictionary) _navsyncctl_files; return ;;
        dict:--output|dict:-o) _navsyncctl_files; return ;;
        dict:--size) return ;;
        bench:--op) _navsyncctl_words "push pull sync"; return ;;
        bench:--size) return ;;
        bench:--connections) return ;;
        bench:--depth) return ;;
        bench:--count|bench:-n) return ;;
        bench:--stacks) return ;;
        bench:--to) return ;;
        bench:--gap) return ;;
    esac
    case $command in
        push)
            if [[ $current == -* ]]; then _navsyncctl_words "--expect --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            _navsyncctl_files
            ;;
        pull)
            if [[ $current == -* ]]; then _navsyncctl_words "--output --json --envelope --meta --at --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        list)
            if [[ $current == -* ]]; then _navsyncctl_words "--json --names --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        rm)
            if [[ $current == -* ]]; then _navsyncctl_words "--json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        watch)
            if [[ $current == -* ]]; then _navsyncctl_words "--json --all --count --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        show)
            if [[ $current == -* ]]; then _navsyncctl_words "--json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        append)
            if [[ $current == -* ]]; then _navsyncctl_words "--expect --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            _navsyncctl_words ""
            _navsyncctl_files
            ;;
        pop)
            if [[ $current == -* ]]; then _navsyncctl_words "--count --expect --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        history)
            if [[ $current == -* ]]; then _navsyncctl_words "--limit --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        undo)
            if [[ $current == -* ]]; then _navsyncctl_words "--to --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_stacks
            ;;
        status)
            if [[ $current == -* ]]; then _navsyncctl_words "--json --socket --timeout --color --help --version"; return; fi
            ;;
        pair)
            if [[ $current == -* ]]; then _navsyncctl_words "--read --write --all --max-stacks --max-bytes --name --address --no-wait --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_words ""
            ;;
        peer)
            if [[ $current == -* ]]; then _navsyncctl_words "--read --write --all --max-stacks --max-bytes --no-read --no-write --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_words "list show rename revoke allow"
            _navsyncctl_words ""
            _navsyncctl_words ""
            ;;
        id)
            if [[ $current == -* ]]; then _navsyncctl_words "--json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_words "show rotate"
            ;;
        encode)
            if [[ $current == -* ]]; then _navsyncctl_words "--output --dictionary --from --tag --socket --timeout --color --help --version"; return; fi
            _navsyncctl_files
            ;;
        decode)
            if [[ $current == -* ]]; then _navsyncctl_words "--output --dictionary --module --to --socket --timeout --color --help --version"; return; fi
            _navsyncctl_files
            ;;
        inspect)
            if [[ $current == -* ]]; then _navsyncctl_words "--dictionary --json --socket --timeout --color --help --version"; return; fi
            _navsyncctl_files
            ;;
        dict)
            if [[ $current == -* ]]; then _navsyncctl_words "--output --size --socket --timeout --color --help --version"; return; fi
            _navsyncctl_words "train id"
            _navsyncctl_files
            ;;
        bench)
            if [[ $current == -* ]]; then _navsyncctl_words "--op --size --connections --depth --count --stacks --to --gap --socket --timeout --color --help --version"; return; fi
            ;;
        completion)
            if [[ $current == -* ]]; then _navsyncctl_words "--socket --timeout --color --help --version"; return; fi
            _navsyncctl_words "bash zsh fish"
            ;;
        help)
            if [[ $current == -* ]]; then _navsyncctl_words "--socket --timeout --color --help --version"; return; fi
            _navsyncctl_words "push pull list rm watch show append pop history undo status pair peer id encode decode inspect dict bench completion help"
            ;;
        *) _navsyncctl_words "push pull list rm watch show append pop history undo status pair peer id encode decode inspect dict bench completion help --socket --timeout --color --help --version" ;;
    esac
}
complete -F _navsyncctl navsyncctl
