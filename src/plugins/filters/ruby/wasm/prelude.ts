/**
 * What Ruby in WebAssembly knows of Logstash: events, timestamps, the logger, and the two ways code is run. Written in
 * Ruby; whatever concerns an event is asked of the host, so that both engines have one meaning of it.
 *
 * Answers of the host are texts: `=` and JSON, or a letter for the class of an error and its message. Values travel as
 * JSON (see `wire.ts`).
 */
export const prelude = String.raw`
require 'json'
require 'time'
require 'js'

# ipaddr needs the numbers of address families only; there are no sockets here.
class Socket; AF_UNSPEC = 0; AF_INET = 2; AF_INET6 = 10; end
class IPSocket; def self.getaddress(name) = name; end
$LOADED_FEATURES << 'socket.rb'
{ Date: 'date', DateTime: 'date', Digest: 'digest', Base64: 'base64', SecureRandom: 'securerandom', URI: 'uri',
  IPAddr: 'ipaddr', Set: 'set', CSV: 'csv', YAML: 'yaml', CGI: 'cgi', OpenSSL: 'openssl', Zlib: 'zlib',
  StringIO: 'stringio', ERB: 'erb', Benchmark: 'benchmark', OpenStruct: 'ostruct', Shellwords: 'shellwords',
}.each { |name, file| autoload(name, file) unless Object.const_defined?(name) }

module LogStash
  class Error < StandardError; end
  class ConfigurationError < Error; end

  class Timestamp
    include Comparable
    class ParserError < StandardError; end
    attr_reader :time

    def self.now = new
    def self.at(*args) = new(Time.at(*args))
    def self.parse_iso8601(text) = new(text)
    def self.coerce(value)
      value.is_a?(Hash) ? nil : new(value)
    end

    def initialize(value = Time.now)
      value = value.time if value.is_a?(Timestamp)
      value = Millrace::Wire.time(Millrace.answer(Millrace.host.call(:time, value))) if value.is_a?(String)
      raise TypeError, "wrong argument type #{value.class} (expected Time)" unless value.is_a?(Time)
      @time = value.getutc
    end

    def utc = @time
    alias gmtime utc
    alias to_time utc
    def to_iso8601
      digits = @time.nsec % 1_000_000 == 0 ? 3 : @time.nsec % 1000 == 0 ? 6 : 9
      @time.iso8601(digits)
    end
    alias to_s to_iso8601
    alias inspect to_iso8601
    def to_json(*) = JSON.generate(to_iso8601)
    def +(other) = @time + other
    def -(other) = @time - (other.is_a?(Timestamp) ? other.time : other)
    def <=>(other) = other.is_a?(Timestamp) || other.is_a?(Time) ? @time <=> other.to_time : nil
    def eql?(other) = self == other
    def hash = @time.hash
    %i[year month day hour min sec usec nsec tv_usec to_i tv_sec to_f].each do |name|
      define_method(name) { @time.public_send(name) }
    end
  end

  class Event
    attr_reader :host

    def self.wrap(host)
      event = allocate
      event.instance_variable_set(:@host, host)
      event
    end

    def initialize(data = nil)
      raise TypeError, "wrong argument type #{data.class} (expected Hash)" unless data.nil? || data.is_a?(Hash)
      @host = Millrace.host.call(:make, Millrace::Wire.dump(data || {}))
    end

    def get(name) = ask(:get, text(name))
    def set(name, value)
      ask(:set, text(name), Millrace::Wire.dump(value))
      value
    end
    def remove(name) = ask(:remove, text(name))
    def include?(name) = ask(:include, text(name))
    def tag(name)
      ask(:tag, text(name))
      nil
    end
    def cancel = ask(:cancel)
    def uncancel = ask(:uncancel)
    def cancelled? = ask(:cancelled)
    def to_hash = ask(:hash)
    def to_hash_with_metadata = ask(:hashWithMetadata)
    def to_json(*) = ask(:json)
    def to_s = ask(:text)
    def inspect = to_s
    def sprintf(template) = ask(:sprintf, template.to_s)
    def timestamp = get('@timestamp')
    def timestamp=(value)
      set('@timestamp', value)
    end
    def clone = Event.wrap(@host.call(:clone))
    alias dup clone
    def overwrite(other)
      ask(:overwrite, other.host)
      self
    end
    def append(other)
      ask(:append, other.host)
      self
    end
    def ==(other) = other.is_a?(Event) && @host.strictly_eql?(other.host)
    alias eql? ==
    alias equal? ==

    moved = 'Please consult the Logstash 5.0 breaking changes documentation for more details.'
    define_method(:[]) do |*|
      raise NoMethodError, "Direct event field references (i.e. event['field']) have been disabled in favor of using event get and set methods (e.g. event.get('field')). #{moved}"
    end
    define_method(:[]=) do |*|
      raise NoMethodError, "Direct event field references (i.e. event['field'] = 'value') have been disabled in favor of using event get and set methods (e.g. event.set('field', 'value')). #{moved}"
    end

    private

    def ask(name, *args) = Millrace::Wire.load(Millrace.answer(@host.call(name, *args)))

    def text(name)
      return name.to_s if name.is_a?(Symbol)
      raise TypeError, "no implicit conversion of #{name.nil? ? 'nil' : name.class} into String" unless name.respond_to?(:to_str)
      name.to_str
    end
  end

  module Logging
    class Logger
      def initialize(number) = @number = number
      { debug: 'debug', trace: 'debug', info: 'info', warn: 'warn', error: 'error', fatal: 'error' }.each do |name, level|
        define_method(name) do |message = nil, details = nil|
          details = details.is_a?(Hash) ? details.to_h { |k, v| [k.to_s, Millrace::Wire.shown(v)] } : {}
          Millrace.host.call(:log, @number, level, message.to_s.scrub, Millrace::Wire.dump(details))
          nil
        end
        quiet = level == 'debug'
        define_method(:"#{name}?") { !quiet }
      end
    end
  end

  module Filters
    class Ruby
      attr_reader :logger
      def initialize(logger) = @logger = logger
      def add_code(init, code)
        eval(init, binding, '(ruby filter init)', 1) unless init.empty?
        eval("define_singleton_method :filter_method do |event, &new_event_block|\n#{code}\nend", binding, '(ruby filter code)', 0)
      end

      module Script
        class Context
          attr_reader :logger, :tests
          def initialize(logger, path, code)
            @logger = logger
            @tests = []
            instance_eval(code, path, 1)
          end
          def test(name, &block)
            @tests << { name: name.to_s, parameters: {}, events: [], expectations: [] }
            instance_exec(&block)
          end
          def parameters = @tests.last[:parameters] = yield
          def in_event = @tests.last[:events].concat([yield].flatten(1))
          def expect(what, &block) = @tests.last[:expectations] << [what.to_s, block]
          def execute_script(event)
            events = filter(event)
            raise "Custom script did not return an array from 'filter'. Only arrays may be returned!" unless events.is_a?(Array)
            events
          end
        end
      end
    end
  end
end

module Millrace
  class << self
    attr_accessor :host
    def programs = @programs ||= []

    def answer(reply)
      text = reply.to_s
      case text[0]
      when '=' then text[1..]
      when 'T' then raise TypeError, text[1..]
      when 'A' then raise ArgumentError, text[1..]
      else raise RuntimeError, text[1..]
      end
    end

    # Every way in: nothing is raised through to the host. Answers '' or a JSON text about the exception.
    def guard(file)
      yield
      ''
    rescue Exception => e
      line = e.backtrace_locations&.find { |place| place.path == file }&.lineno || 0
      JSON.generate({ class: e.class.name.to_s, message: message_of(e), line: line })
    end

    def message_of(error)
      return 'JavaScript cannot be reached from here' if error.is_a?(JS::Error)
      error.message.to_s.dup.force_encoding('UTF-8').scrub
    rescue Exception
      error.class.name.to_s
    end

    def inline(number, init, code)
      number = number.to_i
      guard('(ruby filter init)') do
        context = LogStash::Filters::Ruby.new(LogStash::Logging::Logger.new(number))
        context.add_code(init.to_s, code.to_s)
        programs[number] = context
      end
    end

    def run_inline(number, host)
      guard('(ruby filter code)') do
        programs[number.to_i].filter_method(LogStash::Event.wrap(host)) { |event| give(event) }
      end
    end

    def give(event)
      raise TypeError, "wrong argument type #{event.class} (expected LogStash::Event)" unless event.is_a?(LogStash::Event)
      Millrace.host.call(:give, event.host)
      nil
    end

    def script(number, path, code, parameters)
      number = number.to_i
      path = path.to_s
      guard(path) do
        make = -> { LogStash::Filters::Ruby::Script::Context.new(LogStash::Logging::Logger.new(number), path, code.to_s) }
        context = make.call
        raise "Script '#{path}' does not define a filter method!" unless context.respond_to?(:filter, true)
        run_tests(make, path, context) unless context.tests.empty?
        context.send(:register, Wire.load(parameters.to_s)) if context.respond_to?(:register, true)
        programs[number] = context
      end
    end

    # Each test has a script of its own, so that one cannot see what another one left.
    def run_tests(make, path, context)
      results = { passed: 0, failed: 0, errored: 0 }
      context.tests.each_index do |index|
        own = make.call
        test = own.tests[index]
        begin
          own.send(:register, test[:parameters]) if own.respond_to?(:register, true)
          events = test[:events].flat_map { |fields| own.execute_script(LogStash::Event.new(fields)) }
          test[:expectations].each do |what, block|
            if own.instance_exec(events, &block)
              results[:passed] += 1
            else
              results[:failed] += 1
              own.logger.error("***TEST FAILURE FOR: '#{test[:name]} expect #{what}'***", { script_path: path })
            end
          end
        rescue => e
          results[:errored] += 1
          own.logger.error("***TEST RAISED ERROR: '#{test[:name]}'***", { class: e.class.name, exception: e.message })
        end
      end
      failing = results[:failed] + results[:errored]
      raise "Script '#{path}' had #{failing} failing tests! Check the error log for details." if failing > 0
      context.logger.info('Test run complete', { script_path: path, results: results })
    end

    def run_script(number, path, host)
      guard(path.to_s) do
        programs[number.to_i].execute_script(LogStash::Event.wrap(host)).each do |event|
          raise "Script returned an array from 'filter' that holds something else than events." unless event.is_a?(LogStash::Event)
          give(event)
        end
      end
    end

    # For comparisons: the value of a text, as inspect shows it.
    def evaluate(text)
      Object.new.instance_eval { eval(text.to_s, binding) }.inspect
    rescue Exception => e
      "#{e.class}: #{e.message}"
    end
  end

  # JSON, and what it cannot say as a hash of one name that begins with NUL; such names of events get one more NUL.
  module Wire
    MARK = "\0"
    class << self
      def dump(value) = JSON.generate(plain(value, 0), max_nesting: 0)
      def load(text) = text.include?('\u0000') ? rich(parse(text)) : parse(text)
      def time(text) = load(text).time

      def shown(value)
        plain(value, 0)
        value
      rescue StandardError
        value.to_s
      end

      private

      def parse(text) = JSON.parse(text, max_nesting: 0)

      def plain(value, depth)
        raise StandardError, 'a value that is nested too deeply or contains itself' if depth > 500
        case value
        when nil, true, false, Integer then value
        when Float then value.finite? ? value : { MARK + 'f' => value.to_s }
        when String
          utf8 = value.encoding == Encoding::UTF_8 ? value : value.dup.force_encoding('UTF-8')
          utf8.valid_encoding? ? utf8 : utf8.scrub
        when Symbol then value.to_s
        when LogStash::Timestamp then stamp(value.time)
        when Time then stamp(value)
        when Array then value.map { |item| plain(item, depth + 1) }
        when Hash
          value.to_h do |key, item|
            name = key.to_s
            [name.start_with?(MARK) ? MARK + name : name, plain(item, depth + 1)]
          end
        else
          name = value.class.name
          return plain(value.to_f, depth) if name == 'BigDecimal'
          simple = %w[Range Regexp MatchData Proc Class Module DateTime Date Rational Set Enumerator].include?(name) ? "Ruby#{name}" : 'RubyObject'
          simple = 'RubyEvent' if value.is_a?(LogStash::Event)
          package = %w[RubyDate RubyDateTime].include?(simple) ? 'org.jruby.ext.date' : simple == 'RubySet' ? 'org.jruby.ext.set' : 'org.jruby'
          raise StandardError, "Missing Converter handling for full class name=#{package}.#{simple}, simple name=#{simple}"
        end
      end

      def stamp(time) = { MARK + 't' => time.getutc.iso8601(9) }

      def rich(value)
        case value
        when Array then value.map { |item| rich(item) }
        when Hash
          if value.size == 1
            name, item = value.first
            return LogStash::Timestamp.new(Time.iso8601(item)) if name == MARK + 't'
            return { 'NaN' => Float::NAN, 'Infinity' => Float::INFINITY, '-Infinity' => -Float::INFINITY }[item] if name == MARK + 'f'
          end
          value.to_h { |name, item| [name.start_with?(MARK) ? name[1..] : name, rich(item)] }
        else value
        end
      end
    end
  end
end
`
